"""What the engine sends, signed as it signs; and what a forger would change."""

import asyncio
import time
from dataclasses import dataclass, field
from typing import Any

from asgiref.testing import ApplicationCommunicator
from django.conf import settings

from api.asgi import internal
from contracts import auth
from contracts.auth import SigningKey

JSON = b"application/json"


@dataclass(frozen=True)
class Answer:
    status: int
    content_type: str
    body: bytes


@dataclass(frozen=True)
class Sent:
    """One request; `signed_*` is what the signature says when that differs from what is sent."""

    method: str
    target: str
    body: bytes = b""
    key: SigningKey = field(default_factory=lambda: settings.ENGINE_TO_API_KEYS[0])
    audience: str = auth.API
    age_s: int = 0
    signed_target: str | None = None
    signed_body: bytes | None = None
    signed_method: str | None = None
    headers: tuple[tuple[bytes, bytes], ...] = ()
    is_signed: bool = True

    def scope(self) -> dict[str, Any]:
        path, _, query = self.target.partition("?")
        headers = [(b"host", b"testserver"), (b"content-type", JSON)]
        headers += [(b"content-length", str(len(self.body)).encode()), *self.headers]
        if self.is_signed:
            headers += [(name.lower().encode(), value.encode()) for name, value in self._signature().items()]
        return {
            "type": "http",
            "method": self.method,
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "headers": headers,
        }

    def _signature(self) -> dict[str, str]:
        signed = auth.Request(
            self.signed_method or self.method,
            self.signed_target or self.target,
            self.body if self.signed_body is None else self.signed_body,
            int(time.time()) - self.age_s,
            self.audience,
        )
        return auth.sign(self.key, signed)


async def answer_to(sent: Sent) -> Answer:
    """Through the handler that serves internal routes, as a server would call it."""
    call: Any = ApplicationCommunicator(internal, sent.scope())  # type: ignore[no-untyped-call]
    await call.send_input({"type": "http.request", "body": sent.body})
    start = await call.receive_output(60)
    body, has_more = b"", True
    while has_more:
        part = await call.receive_output(60)
        body, has_more = body + part.get("body", b""), part.get("more_body", False)
    headers = dict(start["headers"])
    return Answer(start["status"], headers.get(b"Content-Type", b"").decode(), body)


def send(sent: Sent) -> Answer:
    return asyncio.run(answer_to(sent))
