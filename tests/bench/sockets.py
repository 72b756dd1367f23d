"""A raw websocket that watches one session: each frame's text with the time when it came."""

import asyncio
import base64
import json
import os
import struct
import time
from dataclasses import dataclass, field
from typing import Any

EXTENDED, LONG = 126, 127


@dataclass
class Watcher:
    """`late_ms` holds, for every stamped piece of text, how long it took from the provider to here."""

    port: int
    token: str
    session_id: str
    late_ms: list[float] = field(default_factory=list)

    async def watch(self) -> None:
        """Until it is cancelled."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        lines = [
            f"GET /ws/sessions/{self.session_id}/ HTTP/1.1",
            f"Host: 127.0.0.1:{self.port}",
            f"Origin: http://127.0.0.1:{self.port}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}",
            "Sec-WebSocket-Version: 13",
            f"Authorization: Bearer {self.token}",
        ]
        writer.write("\r\n".join(lines).encode() + b"\r\n\r\n")
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            if b" 101 " not in head:
                raise RuntimeError(f"not a socket: {head!r}")
            while True:
                self._take(json.loads(await _frame(reader)), time.monotonic())
        finally:
            writer.close()

    def _take(self, message: dict[str, Any], at: float) -> None:
        if message.get("kind") == "delta":
            self.late_ms += [(at - float(stamp)) * 1000 for stamp in message["text"].split() if "." in stamp]


async def _frame(reader: asyncio.StreamReader) -> bytes:
    """The payload of one unmasked text frame; control frames are passed over."""
    while True:
        first, length = await reader.readexactly(2)
        if length == EXTENDED:
            length = struct.unpack(">H", await reader.readexactly(2))[0]
        elif length == LONG:
            length = struct.unpack(">Q", await reader.readexactly(8))[0]
        payload = await reader.readexactly(length)
        if first & 0x0F == 1:
            return payload
