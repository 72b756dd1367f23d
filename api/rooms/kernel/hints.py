"""Ephemeral messages to open sockets: one thread and loop of its own, in order, bounded, never raising."""

import asyncio
import logging
import threading
from typing import Any

from channels.layers import get_channel_layer

MAX_WAITING = 5_000
Hint = dict[str, Any]
log = logging.getLogger(__name__)


class _Publisher:
    """Publishes off the caller's path; when Valkey is away or the queue is full, hints are dropped."""

    def __init__(self) -> None:
        self._start = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._queue: asyncio.Queue[tuple[str, Hint]]

    def put(self, group: str, hint: Hint) -> None:
        with self._start:
            if self._loop is None:
                self._loop = self._run()
        try:
            self._loop.call_soon_threadsafe(self._enqueue, group, hint)
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

    def _enqueue(self, group: str, hint: Hint) -> None:
        if self._queue.full():
            log.warning("too many hints are waiting; one was dropped")
        else:
            self._queue.put_nowait((group, hint))

    async def _drain(self) -> None:
        layer: Any = get_channel_layer()
        while True:
            group, hint = await self._queue.get()
            try:
                await layer.group_send(group, hint)
            except Exception as error:  # noqa: BLE001 - any failure of a hint is only a lost hint
                log.warning("a hint was lost: %s", error)


_publisher = _Publisher()


def publish(group: str, hint: Hint) -> None:
    """`hint["type"]` names the consumer's method, dots for underscores."""
    _publisher.put(group, hint)
