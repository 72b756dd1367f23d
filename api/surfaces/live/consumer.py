"""One socket of one session: subscribe, read `after`, send, then forward hints, dropping what was sent already."""

import asyncio
import json
import logging
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any
from urllib.parse import parse_qs
from uuid import UUID

from channels.generic.websocket import AsyncWebsocketConsumer

from api.rooms.kernel.db import in_thread
from api.surfaces.live import join
from api.surfaces.live.subscription import Subscription
from api.surfaces.live.watchers import watcher_of
from contracts import story
from contracts.limits import MAX_EVENTS_PAGE

PING_S = 4.0
"""Also how soon a page sees what was said while Valkey was away."""
RIGHTS_S = 4.0
MAX_SEQ_DIGITS = 9
CLOSE_FORBIDDEN = 4403
CLOSE_RESUME = 4008
CLOSE_NO_COMMANDS = 4405
EVENT_PREFIX = '{"kind":"event"'
log = logging.getLogger(__name__)


class SessionConsumer(AsyncWebsocketConsumer):
    """A death between commit and broadcast loses only a hint: pings carry the head's seq, a gap is read again."""

    channel_layer_alias = "none: hints come by a subscription of our own, which may wait for Valkey"
    session_id: UUID
    last_seq: int

    async def connect(self) -> None:
        self.session_id = self.scope["url_route"]["kwargs"]["session_id"]
        self._tasks: list[asyncio.Task[None]] = []
        self._order = asyncio.Lock()
        user_id = await watcher_of(self.scope, self.session_id)
        if user_id is None:
            # Accepted first: a browser is told the code of an open socket only, and 4403 ends its trying.
            await self.accept()
            await self.close(CLOSE_FORBIDDEN)
            return
        story.note(session_id=self.session_id, user_id=user_id)
        self.last_seq = self._after()
        self._subscription = Subscription(self.session_id, user_id)
        self._begin(self._subscription.run())
        await self._subscription.tried.wait()
        await self.accept()
        for task in (self._speak(), self._ping(), self._watch_rights()):
            self._begin(task)

    def _begin(self, task: Coroutine[Any, Any, None]) -> None:
        self._tasks.append(asyncio.create_task(self._guard(task)))

    async def _guard(self, task: Coroutine[Any, Any, None]) -> None:
        """A timer that fails must not leave a socket open unwatched: the client comes back with `after`."""
        try:
            await task
        except Exception as error:  # noqa: BLE001 - whatever failed, the socket is given up
            log.warning("socket of %s given up: %s", self.session_id, error)
            await self.close(CLOSE_RESUME)

    def _after(self) -> int:
        given = parse_qs(self.scope["query_string"].decode("latin-1")).get("after", ["0"])[0]
        return int(given) if given.isascii() and given.isdigit() and len(given) <= MAX_SEQ_DIGITS else 0

    async def _catch_up(self) -> None:
        async with self._order:
            await self._send_missed()

    async def _send_missed(self) -> None:
        """Piece by piece, since each waits for the client; who misses more than a page must read it by HTTP."""
        far = self.last_seq + MAX_EVENTS_PAGE
        while True:
            missed = await in_thread(join.piece)(self.session_id, self.last_seq, far - self.last_seq)
            for text in missed.texts:
                await self.send(f'{EVENT_PREFIX},"event":{text}}}')
                self.last_seq += 1
            if not missed.has_more:
                return
            if self.last_seq == far:
                await self.send(json.dumps({"kind": "far", "head": missed.head_seq}))
                self.last_seq = missed.head_seq
                return

    async def _speak(self) -> None:
        """All that is said: the log first, then hints in their order, and the log again where hints were dropped."""
        await self._join()
        while True:
            await self._forward(await self._subscription.next())
            if self._subscription.is_behind and self._subscription.is_empty():
                self._subscription.is_behind = False
                await self._join()

    async def _join(self) -> None:
        await self._catch_up()
        for live in await in_thread(join.live)(self.session_id):
            await self.send(json.dumps(live))

    async def _forward(self, text: str) -> None:
        if not text.startswith(EVENT_PREFIX):
            if text:
                await self.send(text)
            return
        seq = json.loads(text)["event"]["seq"]
        async with self._order:
            if seq == self.last_seq + 1:
                await self.send(text)
                self.last_seq = seq
            elif seq > self.last_seq:
                await self._send_missed()

    async def _ping(self) -> None:
        while True:
            await asyncio.sleep(PING_S)
            head = await in_thread(join.head)(self.session_id)
            if head > self.last_seq:
                await self._catch_up()
            await self.send(json.dumps({"kind": "ping", "head": head}))

    async def _watch_rights(self) -> None:
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(RIGHTS_S):
                    await self._subscription.rights_changed.wait()
            self._subscription.rights_changed.clear()
            if await watcher_of(self.scope, self.session_id) is None:
                await self._end(CLOSE_FORBIDDEN)
                return

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """The socket takes no commands, everything a person does goes through HTTP: who sends one, whatever it is,
        is asked for their right at once and loses the socket, so that a flood of frames costs one look."""
        await self._end(CLOSE_FORBIDDEN if await watcher_of(self.scope, self.session_id) is None else CLOSE_NO_COMMANDS)

    async def _end(self, code: int) -> None:
        """Nothing is forwarded any more, whatever is on its way."""
        for task in self._tasks:
            if task is not asyncio.current_task():
                task.cancel()
        await self.close(code)

    async def disconnect(self, code: int) -> None:
        for task in self._tasks:
            task.cancel()
