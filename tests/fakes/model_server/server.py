"""The server: asyncio in a thread of its own, one request a connection, every request and every goodbye recorded."""

import asyncio
import json
import socket
import struct
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

from tests.fakes.model_server.replies import Reply
from tests.fakes.model_server.story import tell
from tests.fakes.model_server.wires import wire_of

FOREVER_S = 600.0


class Gone(Exception):
    """The client closed its socket, or the script breaks the connection."""


@dataclass
class Recorded:
    """A request. Times are `time.monotonic`; `closed_at` is when the client's socket was seen to close."""

    path: str
    headers: dict[str, str]
    body: Any
    at: float
    closed_at: float | None = None
    is_answered: bool = False
    pieces_sent: int = 0
    method: str = "POST"

    @property
    def key(self) -> str:
        """The key that came with it, whichever header carries keys there."""
        named = self.headers.get("x-api-key") or self.headers.get("x-goog-api-key")
        return named or self.headers.get("authorization", "").removeprefix("Bearer ")


@dataclass
class ModelServer:
    """Play replies in order; afterwards `otherwise` makes them from the request's body."""

    port: int = 0
    otherwise: Callable[[Any], Reply] = tell
    listing: Any = None
    """What a GET for its models is answered with; null where there is no such route."""
    keys: frozenset[str] | None = None
    """The keys that a GET needs one of; null answers everybody."""
    requests: list[Recorded] = field(default_factory=list)
    _replies: deque[Reply] = field(default_factory=deque)

    def __enter__(self) -> Self:
        ready = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(ready,), name="model-server", daemon=True)
        self._thread.start()
        ready.wait(10)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(10)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def play(self, *replies: Reply) -> None:
        """Add to what will be answered next."""
        self._replies.extend(replies)

    def wait_for(self, holds: Callable[[list[Recorded]], bool], seconds: float = 5.0) -> None:
        """Return when it holds for the requests so far."""
        deadline = time.monotonic() + seconds
        while not holds(self.requests):
            if time.monotonic() > deadline:
                raise AssertionError(f"not within {seconds} s: {self.requests}")
            time.sleep(0.002)

    def _run(self, ready: threading.Event) -> None:
        asyncio.run(self._serve(ready))

    async def _serve(self, ready: threading.Event) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        server = await asyncio.start_server(self._connected, "127.0.0.1", self.port, limit=64 * 1024 * 1024)
        self.port = server.sockets[0].getsockname()[1]
        ready.set()
        await self._stop.wait()
        server.close()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            recorded = await _read(reader)
            if recorded is None:
                return
            if recorded.path.startswith("/_"):
                await self._control(recorded, writer)
                return
            self.requests.append(recorded)
            if recorded.method == "GET":
                await self._list(recorded, writer)
                return
            reply = self._replies.popleft() if self._replies else self.otherwise(recorded.body)
            await self._answer(recorded, reply, reader, writer)
        except (Gone, ConnectionError):
            pass
        finally:
            writer.close()

    async def _control(self, recorded: Recorded, writer: asyncio.StreamWriter) -> None:
        """For other processes: POST /_play with a list of replies, GET /_requests."""
        if recorded.path == "/_play":
            self.play(*(Reply.model_validate(each) for each in recorded.body))
        seen = [
            {"path": each.path, "body": each.body, "at": each.at, "closed_at": each.closed_at} for each in self.requests
        ]
        await _send_whole(writer, 200, {}, "application/json", json.dumps(seen).encode())

    async def _list(self, recorded: Recorded, writer: asyncio.StreamWriter) -> None:
        status, said = 200, self.listing
        if self.listing is None:
            status, said = 404, {"error": {"message": "no such route"}}
        elif self.keys is not None and recorded.key not in self.keys:
            status, said = 401, {"error": {"message": f"wrong key {recorded.key}", "code": "invalid_api_key"}}
        await _send_whole(writer, status, {}, "application/json", json.dumps(said).encode())

    async def _answer(
        self, recorded: Recorded, reply: Reply, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Write the reply while listening for the client to go away."""
        writing = asyncio.create_task(_write(recorded, reply, writer))
        leaving = asyncio.create_task(_left(recorded, reader))
        await asyncio.wait({writing, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if not writing.done():
            writing.cancel()
        await asyncio.gather(writing, return_exceptions=True)
        recorded.is_answered = not writing.cancelled() and writing.exception() is None
        if reply.cut == "reset":
            _reset(writer)
        leaving.cancel()


async def _left(recorded: Recorded, reader: asyncio.StreamReader) -> None:
    try:
        while await reader.read(1024):
            pass
    except ConnectionError:
        pass
    recorded.closed_at = time.monotonic()


async def _read(reader: asyncio.StreamReader) -> Recorded | None:
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    except asyncio.IncompleteReadError:
        return None
    first, *lines = head.strip().split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    method, path, _ = first.split(" ", 2)
    return Recorded(path, headers, json.loads(body) if body else None, time.monotonic(), method=method)


async def _write(recorded: Recorded, reply: Reply, writer: asyncio.StreamWriter) -> None:
    await asyncio.sleep(reply.first_delay_ms / 1000)
    if reply.hang == "before_headers":
        await asyncio.sleep(FOREVER_S)
    if reply.is_dropped:
        raise Gone
    asked, wire = recorded.body or {}, wire_of(recorded.path)
    if reply.refuses is not None and reply.refuses in asked:
        words = {
            "error": {"message": f"Unknown parameter: {reply.refuses}", "type": "invalid_request_error", "code": None}
        }
        await _send_whole(writer, 400, {}, "application/json", json.dumps(words).encode())
    elif reply.body is not None or reply.status != 200:
        await _send_whole(writer, reply.status, reply.headers, reply.content_type, (reply.body or "").encode())
    elif reply.is_whole or not wire.is_streamed(recorded.path, asked):
        await _pause_whole(reply)
        await _send_whole(writer, 200, reply.headers, "application/json", json.dumps(wire.document(reply)).encode())
    else:
        await _send_stream(recorded, reply, writer)


async def _pause_whole(reply: Reply) -> None:
    if reply.hang is not None:
        await asyncio.sleep(FOREVER_S)
    await asyncio.sleep(reply.delay_ms / 1000)


async def _send_whole(
    writer: asyncio.StreamWriter, status: int, headers: dict[str, str], media: str, body: bytes
) -> None:
    lines = [f"HTTP/1.1 {status} X", f"content-type: {media}", f"content-length: {len(body)}", "connection: close"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + body)
    await writer.drain()


async def _send_stream(recorded: Recorded, reply: Reply, writer: asyncio.StreamWriter) -> None:
    lines = ["HTTP/1.1 200 OK", "transfer-encoding: chunked", "connection: close"]
    lines += [f"content-type: {reply.content_type}"] if reply.content_type else []
    lines += [f"{name}: {value}" for name, value in reply.headers.items()]
    writer.write("\r\n".join(lines).encode() + b"\r\n\r\n")
    await writer.drain()
    if reply.hang == "before_body":
        await asyncio.sleep(FOREVER_S)
    if reply.raw is not None:
        await _send_pieces(recorded, reply, writer, (bytes.fromhex(part) for part in reply.raw))
    else:
        await _send_pieces(recorded, reply, writer, _events(recorded, reply))
    writer.write(b"0\r\n\r\n")
    await writer.drain()


def _events(recorded: Recorded, reply: Reply) -> Iterable[bytes]:
    wire = wire_of(recorded.path)
    for each in wire.chunks(reply):
        yield wire.event(each, reply)
    if reply.has_done and wire.DONE is not None:
        yield wire.event(wire.DONE, reply)


async def _send_pieces(recorded: Recorded, reply: Reply, writer: asyncio.StreamWriter, pieces: Iterable[bytes]) -> None:
    stops = reply.hang == "after" or reply.cut is not None or reply.error_after is not None
    for number, piece in enumerate(pieces):
        if stops and number == reply.after:
            await _misbehave(recorded, reply, writer)
        if number:
            await asyncio.sleep(reply.delay_ms / 1000)
        writer.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
        await writer.drain()
        recorded.pieces_sent = number + 1


async def _misbehave(recorded: Recorded, reply: Reply, writer: asyncio.StreamWriter) -> None:
    if reply.hang == "after":
        await asyncio.sleep(FOREVER_S)
    if reply.error_after is not None:
        piece = wire_of(recorded.path).event(reply.error_after, reply)
        writer.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n0\r\n\r\n")
        await writer.drain()
    raise Gone


def _reset(writer: asyncio.StreamWriter) -> None:
    """Close with RST rather than FIN."""
    raw = writer.get_extra_info("socket")
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()
