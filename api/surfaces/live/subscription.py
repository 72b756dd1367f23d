"""Hints of one session and word of one person's rights, for one socket: bounded, and none while Valkey is away."""

import asyncio
import logging
import sys
from contextlib import suppress
from typing import Any
from uuid import UUID, uuid4

from channels.layers import get_channel_layer
from redis.exceptions import RedisError

from api.rooms.accounts import rights
from api.rooms.agent_sessions import broadcast

MAX_WAITING = 200
MAX_WAITING_BYTES = 128 * 1024
JOIN_S = 2.0
RETRY_S = 1.0
AWAY = (RedisError, OSError, TimeoutError)
log = logging.getLogger(__name__)


class Subscription:
    """Hints are texts; a full queue drops the next one and sets `is_behind`: the reader reads the log instead."""

    def __init__(self, session_id: UUID, user_id: UUID) -> None:
        self._hints: asyncio.Queue[str] = asyncio.Queue(MAX_WAITING)
        self._waiting_bytes = 0
        self.tried = asyncio.Event()
        """The first attempt to subscribe is over, one way or the other."""
        self.is_joined = False
        self.is_behind = False
        self.rights_changed = asyncio.Event()
        """Of the person; beside the queue, so that it waits for nothing."""
        self._groups = (broadcast.group_of(session_id), rights.group_of(user_id))
        self._channel = f"live.{uuid4().hex}"

    async def next(self) -> str:
        """The next hint, once there is one."""
        text = await self._hints.get()
        self._waiting_bytes -= sys.getsizeof(text)
        return text

    def is_empty(self) -> bool:
        return self._hints.empty()

    async def run(self) -> None:
        """Until cancelled."""
        layer: Any = get_channel_layer()
        # A queue that is there already spares a subscription of the channel itself: its group is all that is heard.
        layer.channels[self._channel] = asyncio.Queue()
        try:
            await self._join(layer)
            while True:
                self._hear(await layer.receive(self._channel))
        finally:
            layer.channels.pop(self._channel, None)
            with suppress(*AWAY):
                for group in self._groups:
                    await layer.group_discard(group, self._channel)

    async def _join(self, layer: Any) -> None:
        """Once joined, the client library comes back by itself; what was said meanwhile is read from the log."""
        while not self.is_joined:
            try:
                async with asyncio.timeout(JOIN_S):
                    for group in self._groups:
                        await layer.group_add(group, self._channel)
                self.is_joined = True
            except AWAY as error:
                log.warning("no live hints for now: %s", error)
                self.is_behind = True
            self.tried.set()
            if not self.is_joined:
                await asyncio.sleep(RETRY_S)
        if self.is_behind:
            self._take("")

    def _hear(self, message: dict[str, Any]) -> None:
        if message["type"] == rights.CHANGED:
            self.rights_changed.set()
        else:
            self._take(message["text"])

    def _take(self, text: str) -> None:
        size = sys.getsizeof(text)
        is_too_much = self._waiting_bytes + size > MAX_WAITING_BYTES and not self.is_empty()
        if is_too_much or self._hints.full():
            self.is_behind = True
            return
        self._waiting_bytes += size
        self._hints.put_nowait(text)
