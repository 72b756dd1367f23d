"""One socket of one session: subscribe, read `after`, send, then forward hints, dropping what was sent already."""

import asyncio
import json
import logging
from collections.abc import Coroutine
from typing import Any
from urllib.parse import parse_qs
from uuid import UUID

from channels.generic.websocket import AsyncWebsocketConsumer

from api.rooms.accounts.selectors import user_of_token
from api.rooms.agent_sessions.broadcast import group_of
from api.rooms.kernel.db import in_thread
from api.surfaces.live import join

PING_S = 10.0
RIGHTS_S = 4.0
MAX_SEQ_DIGITS = 9
CLOSE_FORBIDDEN = 4403
CLOSE_RESUME = 4008
EVENT_PREFIX = '{"kind":"event"'
log = logging.getLogger(__name__)


class SessionConsumer(AsyncWebsocketConsumer):
    """A death between commit and broadcast loses only a hint: pings carry the head's seq, a gap is read again."""

    session_id: UUID
    last_seq: int
    _is_joined: bool = False

    async def connect(self) -> None:
        self.session_id = self.scope["url_route"]["kwargs"]["session_id"]
        self._early: list[str] = []
        self._tasks: list[asyncio.Task[None]] = []
        self._order = asyncio.Lock()
        if not await self._may_watch():
            # Accepted first: a browser is told the code of an open socket only, and 4403 ends its trying.
            await self.accept()
            await self.close(CLOSE_FORBIDDEN)
            return
        self.last_seq = self._after()
        await self.channel_layer.group_add(group_of(self.session_id), self.channel_name)
        await self.accept()
        await self._catch_up()
        for live in await in_thread(join.live)(self.session_id):
            await self.send(json.dumps(live))
        self._is_joined = True
        for text in self._early:
            await self._forward(text)
        self._early.clear()
        self._tasks = [asyncio.create_task(self._guard(task)) for task in (self._ping(), self._watch_rights())]

    async def _guard(self, task: Coroutine[Any, Any, None]) -> None:
        """A timer that fails must not leave a socket open unwatched: the client comes back with `after`."""
        try:
            await task
        except Exception as error:  # noqa: BLE001 - whatever failed, the socket is given up
            log.warning("socket of %s given up: %s", self.session_id, error)
            await self.close(CLOSE_RESUME)

    async def _may_watch(self) -> bool:
        """Asked at the handshake and on a timer: a token may be revoked, a page signed out, a role taken away."""
        user_id = await self._person()
        return user_id is not None and await in_thread(join.may_watch)(user_id, self.session_id)

    async def _person(self) -> UUID | None:
        """By API token in the `Authorization` header, else by the page's own session cookie."""
        for name, value in self.scope["headers"]:
            if name == b"authorization" and value.lower().startswith(b"bearer "):
                user = await in_thread(user_of_token)(value[7:].decode("latin-1").strip())
                return user.id if user else None
        user = self.scope.get("user")
        if user is None or not user.is_authenticated:
            return None
        cookie = self.scope["session"]
        return user.id if await in_thread(cookie.exists)(cookie.session_key) else None

    def _after(self) -> int:
        given = parse_qs(self.scope["query_string"].decode("latin-1")).get("after", ["0"])[0]
        return int(given) if given.isascii() and given.isdigit() and len(given) <= MAX_SEQ_DIGITS else 0

    async def _catch_up(self) -> None:
        async with self._order:
            await self._send_missed()

    async def _send_missed(self) -> None:
        missed = await in_thread(join.backlog)(self.session_id, self.last_seq)
        for text in missed.texts:
            await self.send(f'{EVENT_PREFIX},"event":{text}}}')
            self.last_seq += 1
        if missed.is_far:
            await self.send(json.dumps({"kind": "far", "head": missed.head_seq}))
            self.last_seq = missed.head_seq

    async def session_message(self, message: dict[str, Any]) -> None:
        """From the channel layer; what arrives before the join is complete waits its turn."""
        if self._is_joined:
            await self._forward(message["text"])
        else:
            self._early.append(message["text"])

    async def _forward(self, text: str) -> None:
        if not text.startswith(EVENT_PREFIX):
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
            head = await in_thread(join.backlog)(self.session_id, self.last_seq)
            if head.texts:
                await self._catch_up()
            await self.send(json.dumps({"kind": "ping", "head": head.head_seq}))

    async def _watch_rights(self) -> None:
        while True:
            await asyncio.sleep(RIGHTS_S)
            if not await self._may_watch():
                await self.close(CLOSE_FORBIDDEN)
                return

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """The socket takes no commands: everything a person does goes through HTTP."""

    async def disconnect(self, code: int) -> None:
        for task in self._tasks:
            task.cancel()
        if hasattr(self, "last_seq"):
            await self.channel_layer.group_discard(group_of(self.session_id), self.channel_name)
