"""A raw-socket client: one connection, one request at a time, with the times that matter."""

import asyncio
import time
from dataclasses import dataclass
from typing import cast

END = b"0\r\n\r\n"


@dataclass
class Answer:
    """Monotonic times; `first_at` is when the marker was first seen."""

    sent_at: float
    first_at: float = 0.0
    ended_at: float = 0.0
    body: bytes = b""

    @property
    def first_ms(self) -> float:
        return (self.first_at - self.sent_at) * 1000


class Lane(asyncio.Protocol):
    """Answers must be chunked; a closed connection ends the answer that was under way."""

    def __init__(self) -> None:
        self._answer = Answer(0.0)
        self._marker = b""
        self._done: asyncio.Future[Answer] | None = None
        self._first: asyncio.Future[None] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        answer = self._answer
        answer.body += data
        if not answer.first_at and self._marker in answer.body:
            answer.first_at = time.monotonic()
            if self._first is not None and not self._first.done():
                self._first.set_result(None)
        if answer.body.endswith(END):
            self._end()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's
        self._end()

    def _end(self) -> None:
        self._answer.ended_at = time.monotonic()
        if self._done is not None and not self._done.done():
            self._done.set_result(self._answer)

    def begin(self, request: bytes, marker: bytes) -> None:
        """Send; then await `first` or `whole`."""
        loop = asyncio.get_running_loop()
        self._marker, self._done, self._first = marker, loop.create_future(), loop.create_future()
        self._answer = Answer(time.monotonic())
        self._transport.write(request)

    async def first(self) -> None:
        if self._first is not None:
            await self._first

    async def whole(self) -> Answer:
        if self._done is None:
            raise RuntimeError("nothing was asked")
        return await self._done

    async def ask(self, request: bytes, marker: bytes) -> Answer:
        self.begin(request, marker)
        return await self.whole()

    def leave(self) -> float:
        """Close the socket at once; when that was."""
        at = time.monotonic()
        self._transport.abort()
        return at


async def connect(port: int) -> Lane:
    _, lane = await asyncio.get_running_loop().create_connection(Lane, "127.0.0.1", port)
    return lane


async def get_json_text(port: int, path: str) -> bytes:
    """The body of a small GET of the upstream."""
    lane = await connect(port)
    answer = await lane.ask(f"GET {path} HTTP/1.1\r\nhost: x\r\n\r\n".encode(), b"")
    lane.leave()
    return answer.body.split(b"\r\n")[-4]
