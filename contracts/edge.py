"""Where requests and sockets come in, in both services: a request id, one line at the end, nothing of the content."""

import logging
import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Protocol

from contracts import story

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Any, Receive, Send], Awaitable[None]]
HEADER = story.REQUEST_HEADER.lower().encode()
QUIET = ("livez", "readyz", "version", "metrics", "static", "internal-heartbeat")
ROUTE = "mutirao.route"
"""The key of a scope that whoever resolves the address fills in."""
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)
"""Limits of the buckets in which both services count how long a request took."""


class Watch(Protocol):
    """Who counts what comes in. Labels are few and closed: a route's template and a known method, never a path."""

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        """One request that ended; status 0 when whoever asked went away, or nothing was answered."""

    def socket_opened(self) -> None:
        """One socket that was accepted."""

    def socket_closed(self, code: int) -> None:
        """The same one; code 0 when the other side closed it."""


def _given(scope: Any) -> str:
    return next((value.decode("latin-1") for name, value in scope["headers"] if name == HEADER), "")


def _route(scope: Any) -> str:
    """Never the path of who asked. Starlette's routes here have no slots, so the path is the pattern."""
    starlette = scope["path"].lstrip("/") if "endpoint" in scope else "unknown"
    return scope[ROUTE] or starlette


class Edge:
    """Wraps an ASGI app."""

    def __init__(self, app: App, log: logging.Logger, watch: Watch) -> None:
        self._app, self._log, self._watch = app, log, watch

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        scope[ROUTE] = ""
        request_id = story.request_id(_given(scope))
        with story.told(request_id=request_id):
            await self._tell(scope, receive, send, request_id)

    async def _tell(self, scope: Any, receive: Receive, send: Send, request_id: str) -> None:
        began, status, is_open = time.perf_counter(), 0, False

        async def sending(message: Message) -> None:
            nonlocal status, is_open
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = [*message.get("headers", ()), (HEADER, request_id.encode())]
                message = {**message, "headers": headers}
            elif message["type"] == "websocket.accept":
                is_open = True
                self._watch.socket_opened()
                self._log.info("socket opened")
            elif message["type"] == "websocket.close":
                status = message.get("code", 1000)
            await send(message)

        try:
            await self._app(scope, receive, sending)
        finally:
            seconds = time.perf_counter() - began
            if scope["type"] == "http":
                self._end_request(scope, status, seconds)
            elif is_open:
                self._end_socket(status, seconds)

    def _end_socket(self, code: int, seconds: float) -> None:
        self._watch.socket_closed(code)
        self._log.info("socket closed", extra={"code": code, "ms": round(seconds * 1000)})

    def _end_request(self, scope: Any, status: int, seconds: float) -> None:
        route, method = _route(scope), scope["method"]
        self._watch.request(method if method in METHODS else "other", route, status, seconds)
        level = logging.DEBUG if route.startswith(QUIET) else logging.INFO
        facts = {"method": method, "route": route, "status": status, "ms": round(seconds * 1000, 1)}
        self._log.log(level, "request", extra=facts)
