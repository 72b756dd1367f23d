"""A few claims at once, and none beside a heartbeat: what it does not list is released, a fresh claim included."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

MAX_CLAIMS = 4
"""Of a process. A crowd of wakes waits here, in order, where waiting costs nothing and no lease runs."""


class Gate:
    """Some claims at once, or one heartbeat; a heartbeat that waits lets no new claim in."""

    def __init__(self) -> None:
        self._room = asyncio.Semaphore(MAX_CLAIMS)
        self._claims = 0
        self._no_claims = asyncio.Event()
        self._no_beat = asyncio.Event()
        self._no_claims.set()
        self._no_beat.set()

    @asynccontextmanager
    async def claiming(self) -> AsyncIterator[None]:
        """While a claim is under way and until its lease is listed."""
        async with self._room:
            while not self._no_beat.is_set():
                await self._no_beat.wait()
            with self._counted():
                yield

    @contextmanager
    def _counted(self) -> Iterator[None]:
        self._claims += 1
        self._no_claims.clear()
        try:
            yield
        finally:
            self._claims -= 1
            if not self._claims:
                self._no_claims.set()

    @asynccontextmanager
    async def beating(self) -> AsyncIterator[None]:
        """While a heartbeat is under way."""
        self._no_beat.clear()
        try:
            await self._no_claims.wait()
            yield
        finally:
            self._no_beat.set()
