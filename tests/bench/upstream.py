"""A lean model server in a process of its own: what a request's text asks for is what it does.

`@mode chunks delay_ms tag@` in the prompt: `plain` streams, `stamped` streams the time as its text, `hang_before` and
`hang_after` keep the caller waiting. Requests with a tag are remembered: GET /_seen.
"""

import asyncio
import json
import re
import sys
import time
from typing import cast

ASKED = re.compile(rb"@(\w+) (\d+) ([\d.]+) (\S*)@")
HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: %s\r\ntransfer-encoding: chunked\r\n\r\n"
USAGE = {"prompt_tokens": 300, "completion_tokens": 50, "total_tokens": 350}
seen: dict[str, list[float | None]] = {}


def _framed(payload: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(payload), payload)


def _event(delta: dict[str, str], finish: str | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    chunk = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "bench", "choices": [choice]}
    return _framed(b"data: " + json.dumps(chunk).encode() + b"\n\n")


FIRST, WORD, LAST = _event({"role": "assistant", "content": ""}), _event({"content": "word "}), _event({}, "stop")
END = _framed(b"data: " + json.dumps({"id": "c", "choices": [], "usage": USAGE}).encode() + b"\n\n")
DONE = _framed(b"data: [DONE]\n\n") + b"0\r\n\r\n"
MESSAGE = {"role": "assistant", "content": "word " * 50}
WHOLE = _framed(
    json.dumps(
        {"id": "c", "choices": [{"index": 0, "message": MESSAGE, "finish_reason": "stop"}], "usage": USAGE}
    ).encode()
)


class Door(asyncio.Protocol):
    """One connection; one request at a time."""

    def __init__(self) -> None:
        self._read = b""
        self._at: float | None = None
        self._tag = ""
        self._task: asyncio.Task[None] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        self._at = self._at or time.monotonic()
        self._read += data
        head, found, body = self._read.partition(b"\r\n\r\n")
        if not found:
            return
        length = re.search(rb"content-length: (\d+)", head, re.IGNORECASE)
        if length is None or len(body) >= int(length[1]):
            self._read = b""
            self._task = asyncio.create_task(self._answer(head, body, self._at))
            self._at = None

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's
        if self._tag in seen:
            seen[self._tag][1] = time.monotonic()
        if self._task is not None:
            self._task.cancel()

    async def _answer(self, head: bytes, body: bytes, at: float) -> None:
        if head.startswith(b"GET /_seen"):
            self._transport.write(HEAD % b"application/json" + _framed(json.dumps(seen).encode()) + b"0\r\n\r\n")
            return
        asked = ASKED.findall(body)[-1]
        mode, chunks, delay_s, self._tag = asked[0], int(asked[1]), float(asked[2]) / 1000, asked[3].decode()
        if self._tag:
            seen.setdefault(self._tag, [at, None])
        if mode == b"hang_before":
            return
        if b'"stream":true' in body.replace(b" ", b""):
            await self._stream(mode, chunks, delay_s)
        else:
            self._transport.write(HEAD % b"application/json" + WHOLE + b"0\r\n\r\n")

    async def _stream(self, mode: bytes, chunks: int, delay_s: float) -> None:
        write = self._transport.write
        write(HEAD % b"text/event-stream" + FIRST)
        for _ in range(chunks):
            if delay_s:
                await asyncio.sleep(delay_s)
            write(_event({"content": f"{time.monotonic():.6f} "}) if mode == b"stamped" else WORD)
        if mode != b"hang_after":
            write(LAST + END + DONE)


async def serve(port: int) -> None:
    server = await asyncio.get_running_loop().create_server(Door, "127.0.0.1", port, backlog=2048)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1])))
