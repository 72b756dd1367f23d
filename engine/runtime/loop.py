"""The one asyncio loop of a process, in a thread of its own: Celery's slots only wait for what runs there."""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

import uvloop

Result = TypeVar("Result")


class LoopThread:
    """Never stopped: Celery stops its parts before its pool drains, and what runs here must outlive that."""

    def __init__(self) -> None:
        self._loop = uvloop.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="engine-loop", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_forever()

    def submit(self, work: Coroutine[Any, Any, Result]) -> Future[Result]:
        """Start `work` there; its future may be waited for here."""
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def call(self, act: Callable[[], object]) -> None:
        """Let the loop call `act` soon; does not wait, so a signal handler may use it."""
        self._loop.call_soon_threadsafe(act)
