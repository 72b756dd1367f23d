"""A websocket client of bytes and patience: it reads only when asked, through as small a window as TCP allows."""

import base64
import os
import socket
import struct
from dataclasses import dataclass
from typing import Self

CLOSE, PING, PONG = 0x8, 0x9, 0xA
SMALLEST = 4096


class ClosedError(Exception):
    """The server said goodbye by `code`, or just went (1006)."""

    def __init__(self, code: int, reason: str = "") -> None:
        super().__init__(f"{code} {reason}")
        self.code, self.reason = code, reason


@dataclass
class RawSocket:
    """One connection; `recv_bytes` bounds what the kernel takes in while nobody reads."""

    connection: socket.socket
    _read: bytes = b""

    @classmethod
    def open(
        cls, port: int, path: str, headers: dict[str, str] | None = None, recv_bytes: int = 0, timeout_s: float = 20
    ) -> Self:
        connection = socket.socket()
        if recv_bytes:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, recv_bytes)
        connection.settimeout(timeout_s)
        connection.connect(("127.0.0.1", port))
        given = {
            "Host": f"127.0.0.1:{port}",
            "Origin": f"http://127.0.0.1:{port}",
            "Upgrade": "websocket",
            "Connection": "Upgrade",
            "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": base64.b64encode(os.urandom(16)).decode(),
            **(headers or {}),
        }
        lines = [f"GET {path} HTTP/1.1", *(f"{name}: {value}" for name, value in given.items()), "", ""]
        connection.sendall("\r\n".join(lines).encode())
        opened = cls(connection)
        status = opened._until(b"\r\n\r\n").split(b"\r\n", 1)[0].decode()
        if " 101 " not in status:
            raise ClosedError(int(status.split()[1]), status)
        return opened

    def text(self) -> str:
        """The next message; raises `ClosedError` at the end, `TimeoutError` when nothing comes."""
        while True:
            kind, body = self._frame()
            if kind == PING:
                self._send(PONG, body)
            elif kind == CLOSE:
                raise ClosedError(struct.unpack(">H", body[:2])[0], body[2:].decode())
            elif kind != PONG:
                return body.decode()

    def close(self) -> None:
        self.connection.close()

    def _frame(self) -> tuple[int, bytes]:
        first, second = self._take(2)
        length = second & 0x7F
        if length == 126:
            (length,) = struct.unpack(">H", self._take(2))
        elif length == 127:
            (length,) = struct.unpack(">Q", self._take(8))
        return first & 0xF, self._take(length)

    def _send(self, kind: int, body: bytes) -> None:
        self.connection.sendall(bytes([0x80 | kind, 0x80 | len(body), 0, 0, 0, 0]) + body)

    def _take(self, count: int) -> bytes:
        while len(self._read) < count:
            self._more()
        taken, self._read = self._read[:count], self._read[count:]
        return taken

    def _until(self, mark: bytes) -> bytes:
        while mark not in self._read:
            self._more()
        taken, self._read = self._read.split(mark, 1)
        return taken

    def _more(self) -> None:
        try:
            got = self.connection.recv(65_536)
        except ConnectionError as error:
            raise ClosedError(1006, str(error)) from error
        if not got:
            raise ClosedError(1006)
        self._read += got
