"""Claims and heartbeats exclude each other: what a heartbeat does not list is released, a fresh claim included."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager


class Gate:
    """Many claims at once, or one heartbeat; a heartbeat that waits lets no new claim in."""

    def __init__(self) -> None:
        self._claims = 0
        self._no_claims = asyncio.Event()
        self._no_beat = asyncio.Event()
        self._no_claims.set()
        self._no_beat.set()

    @asynccontextmanager
    async def claiming(self) -> AsyncIterator[None]:
        """While a claim is under way and until its lease is listed."""
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
