"""Ephemeral messages to open sockets: one thread of its own, in order, bounded, never raising."""

import logging
import threading
import time
from collections.abc import Callable
from functools import cached_property
from queue import Empty, SimpleQueue
from typing import Any

import redis
from channels.layers import get_channel_layer
from django.conf import settings

MAX_WAITING = 5_000
MAX_TOGETHER = 500
PAUSE_S = 0.005
"""The first hint goes out at once; what comes within the next 5 ms goes out together."""
VALKEY_S = 2.0
Hint = dict[str, Any]
log = logging.getLogger(__name__)


class Lines:
    """Where the channel layer listens; many messages of many groups leave in one round trip."""

    def __init__(self) -> None:
        self._layer: Any = get_channel_layer()
        layers: dict[str, Any] = settings.CHANNEL_LAYERS
        self._config = layers["default"]["CONFIG"]

    @cached_property
    def _valkey(self) -> "redis.Redis":
        return redis.Redis.from_url(self._config["hosts"][0], socket_timeout=VALKEY_S, socket_connect_timeout=VALKEY_S)

    def send(self, hints: list[tuple[str, Hint]]) -> None:
        """Raises what the connection raises."""
        together = self._valkey.pipeline(transaction=False)
        for group, hint in hints:
            together.publish(f"{self._config['prefix']}__group__{group}", self._layer.serialize(hint))
        together.execute()


class Publisher:
    """Publishes off the caller's path; when Valkey is away or the queue is full, hints are dropped."""

    def __init__(self, open_lines: Callable[[], Lines] = Lines) -> None:
        self._open_lines = open_lines
        self._start = threading.Lock()
        self._thread: threading.Thread | None = None
        self._waiting: SimpleQueue[tuple[str, Hint]] = SimpleQueue()

    def put(self, group: str, hint: Hint) -> None:
        if self._thread is None:
            self._begin()
        if self._waiting.qsize() >= MAX_WAITING:
            log.warning("too many hints are waiting; one was dropped")
        else:
            self._waiting.put((group, hint))

    def _begin(self) -> None:
        with self._start:
            if self._thread is None:
                self._thread = threading.Thread(target=self._serve, name="broadcast", daemon=True)
                self._thread.start()

    def _serve(self) -> None:
        lines = self._open_lines()
        while True:
            try:
                lines.send(self._together())
            except Exception as error:  # noqa: BLE001 - any failure of a hint is only a lost hint
                log.warning("hints were lost: %s", error)
            time.sleep(PAUSE_S)

    def _together(self) -> list[tuple[str, Hint]]:
        """Waits for one, and takes what else is there."""
        hints = [self._waiting.get()]
        while len(hints) < MAX_TOGETHER:
            try:
                hints.append(self._waiting.get_nowait())
            except Empty:
                break
        return hints


_publisher = Publisher()


def publish(group: str, hint: Hint) -> None:
    """`hint["type"]` names the consumer's method, dots for underscores."""
    _publisher.put(group, hint)
