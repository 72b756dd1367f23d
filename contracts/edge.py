"""Where requests and sockets come in, in both services: a request id, one line at the end, nothing of the content."""

import logging
import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from contracts import story

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Any, Receive, Send], Awaitable[None]]
HEADER = story.REQUEST_HEADER.lower().encode()
QUIET = ("livez", "readyz", "version", "metrics", "static", "internal-heartbeat")
ROUTE = "mutirao.route"
"""The key of a scope that whoever resolves the address fills in."""


def _given(scope: Any) -> str:
    return next((value.decode("latin-1") for name, value in scope["headers"] if name == HEADER), "")


def _route(scope: Any) -> str:
    """Never the path of who asked. Starlette's routes here have no slots, so the path is the pattern."""
    starlette = scope["path"].lstrip("/") if "endpoint" in scope else "unknown"
    return scope[ROUTE] or starlette


class Edge:
    """Wraps an ASGI app."""

    def __init__(self, app: App, log: logging.Logger) -> None:
        self._app, self._log = app, log

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        scope[ROUTE] = ""
        request_id = story.request_id(_given(scope))
        with story.told(request_id=request_id):
            await self._tell(scope, receive, send, request_id)

    async def _tell(self, scope: Any, receive: Receive, send: Send, request_id: str) -> None:
        began, status = time.perf_counter(), 0

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = [*message.get("headers", ()), (HEADER, request_id.encode())]
                message = {**message, "headers": headers}
            elif message["type"] == "websocket.accept":
                self._log.info("socket opened")
            elif message["type"] == "websocket.close":
                status = message.get("code", 1000)
            await send(message)

        try:
            await self._app(scope, receive, sending)
        finally:
            self._end(scope, status, time.perf_counter() - began)

    def _end(self, scope: Any, status: int, seconds: float) -> None:
        if scope["type"] == "websocket":
            self._log.info("socket closed", extra={"code": status, "ms": round(seconds * 1000)})
            return
        route = _route(scope)
        level = logging.DEBUG if route.startswith(QUIET) else logging.INFO
        facts = {"method": scope["method"], "route": route, "status": status, "ms": round(seconds * 1000, 1)}
        self._log.log(level, "request", extra=facts)
