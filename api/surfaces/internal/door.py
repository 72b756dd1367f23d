"""The ASGI handler of the internal routes: no middleware, no thread of its own, no signals, nothing of a browser."""

import asyncio
from io import BytesIO
from typing import Any

from django.core.handlers.exception import convert_exception_to_response

from api.surfaces.telling import TellingHandler
from contracts.edge import Receive


class BareHandler(TellingHandler):
    """Sessions, languages and cookies mean nothing between services, and cost a thread each.

    Django's own handler makes two tasks of a request and takes three turns on a thread for signals that give back
    connections: here whoever takes a connection gives it back (`kernel.db`).
    """

    def load_middleware(self, is_async: bool = False) -> None:  # noqa: FBT001, FBT002 - Django's signature
        self._view_middleware: list[Any] = []
        self._template_response_middleware: list[Any] = []
        self._exception_middleware: list[Any] = []
        self._middleware_chain = convert_exception_to_response(self._get_response_async)  # type: ignore[attr-defined]

    async def __call__(self, scope: Any, receive: Receive, send: Any) -> None:  # type: ignore[override]
        body = await _body(receive)
        if body is None:
            return
        leaving = asyncio.create_task(_cancel_when_gone(receive, asyncio.current_task()))
        try:
            await self._answer(scope, body, send)
        except asyncio.CancelledError:
            if not leaving.done():
                raise  # nobody left: it is the process that ends
        finally:
            leaving.cancel()

    async def _answer(self, scope: Any, body: bytes, send: Any) -> None:
        request, refusal = self.create_request(scope, BytesIO(body))
        response: Any = refusal if request is None else await self.get_response_async(request)
        await self.send_response(response, send)


async def _body(receive: Receive) -> bytes | None:
    """Null when whoever sent it left. The server in front bounds it while it comes (`api.bodies`)."""
    parts: list[bytes] = []
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        parts.append(message.get("body", b""))
        if not message.get("more_body", False):
            return b"".join(parts)


async def _cancel_when_gone(receive: Receive, serving: "asyncio.Task[Any] | None") -> None:
    """After the body there is only one thing to hear: that nobody waits for the answer any more."""
    await receive()
    if serving is not None:
        serving.cancel()
