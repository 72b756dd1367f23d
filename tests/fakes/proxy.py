"""A TCP proxy that can be told to refuse, to swallow in either direction, and to cut: the network at its worst."""

import asyncio
import threading
from contextlib import suppress
from typing import Self

PIECE_BYTES = 65_536
UP, DOWN = "up", "down"


class Proxy:
    """Listens on `port` of this machine, in a thread and loop of its own. `through` counts what passed."""

    def __init__(self, port: int, target_port: int) -> None:
        self.port, self._target = port, target_port
        self.is_refusing = False
        self.swallows: frozenset[str] = frozenset()
        """Of `UP` (to the target) and `DOWN`: what comes there is read and lost, and nobody is told."""
        self.through = {UP: 0, DOWN: 0}
        self._open: set[asyncio.StreamWriter] = set()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name=f"proxy {port}", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        listening = asyncio.start_server(self._serve, "127.0.0.1", self.port)
        self._server = asyncio.run_coroutine_threadsafe(listening, self._loop).result(10)
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    def cut(self) -> None:
        """Every connection ends now, by a reset."""
        asyncio.run_coroutine_threadsafe(self._cut(), self._loop).result(10)

    def black_hole(self, *directions: str) -> None:
        """Both directions when none is named; `heal` ends it, for connections that are cut then."""
        self.swallows = frozenset(directions or (UP, DOWN))

    def refuse(self) -> None:
        """As if nobody listened any more."""
        self.is_refusing = True
        self.cut()

    def heal(self) -> None:
        """Open again; what lost bytes is broken and ends."""
        was_hurt = bool(self.swallows)
        self.is_refusing, self.swallows = False, frozenset()
        if was_hurt:
            self.cut()

    async def _end(self) -> None:
        self._server.close()
        await self._cut()
        if serving := asyncio.all_tasks() - {asyncio.current_task()}:
            await asyncio.wait(serving, timeout=5)

    async def _cut(self) -> None:
        for writer in list(self._open):
            writer.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._open.add(writer)
        target = None
        try:
            if not self.is_refusing:
                there, target = await asyncio.open_connection("127.0.0.1", self._target)
                self._open.add(target)
                await asyncio.gather(self._pass(UP, reader, target), self._pass(DOWN, there, writer))
        except OSError:
            pass  # either end went: both do
        finally:
            for each in (writer, target):
                if each:
                    self._open.discard(each)
                    each.transport.abort()

    async def _pass(self, direction: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        is_holed = False  # TCP never goes on behind a hole
        while piece := await reader.read(PIECE_BYTES):
            is_holed = is_holed or direction in self.swallows
            if not is_holed:
                self.through[direction] += len(piece)
                writer.write(piece)
                await writer.drain()
        with suppress(OSError):
            writer.write_eof()
