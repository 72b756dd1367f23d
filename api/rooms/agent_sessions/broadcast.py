"""Hints for open sockets (law 8): one thread and loop of its own, in order, bounded, never raising."""

import asyncio
import json
import logging
import threading
from typing import Any
from uuid import UUID

from channels.layers import get_channel_layer

MAX_WAITING = 5_000
log = logging.getLogger(__name__)


def group_of(session_id: UUID) -> str:
    return f"session.{session_id}"


class _Broadcaster:
    """Publishes off the caller's path; when Valkey is away or the queue is full, hints are dropped."""

    def __init__(self) -> None:
        self._start = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._queue: asyncio.Queue[tuple[str, str]]

    def put(self, group: str, text: str) -> None:
        with self._start:
            if self._loop is None:
                self._loop = self._run()
        try:
            self._loop.call_soon_threadsafe(self._enqueue, group, text)
        except RuntimeError:
            log.debug("the interpreter is shutting down; hint dropped")

    def _run(self) -> asyncio.AbstractEventLoop:
        loop = asyncio.new_event_loop()
        self._queue = asyncio.Queue(MAX_WAITING)
        threading.Thread(target=self._serve, args=(loop,), name="broadcast", daemon=True).start()
        return loop

    def _serve(self, loop: asyncio.AbstractEventLoop) -> None:
        asyncio.set_event_loop(loop)
        loop.create_task(self._drain())
        loop.run_forever()

    def _enqueue(self, group: str, text: str) -> None:
        if self._queue.full():
            log.warning("too many hints are waiting; one was dropped")
        else:
            self._queue.put_nowait((group, text))

    async def _drain(self) -> None:
        layer: Any = get_channel_layer()
        while True:
            group, text = await self._queue.get()
            try:
                await layer.group_send(group, {"type": "session.message", "text": text})
            except Exception as error:  # noqa: BLE001 - any failure of a hint is only a lost hint
                log.warning("a hint was lost: %s", error)


_broadcaster = _Broadcaster()


def event(session_id: UUID, canonical: str) -> None:
    """A committed event, as its canonical text."""
    _broadcaster.put(group_of(session_id), f'{{"kind":"event","event":{canonical}}}')


def hint(session_id: UUID, message: dict[str, Any]) -> None:
    """Live text, a retry notice, or any other ephemeral message."""
    _broadcaster.put(group_of(session_id), json.dumps(message))
