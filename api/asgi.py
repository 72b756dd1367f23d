"""The ASGI door: internal routes without middleware, pages and REST through Django, websockets through Channels."""

import os
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "api.settings")

from channels.routing import ProtocolTypeRouter
from django.core.asgi import get_asgi_application
from django.core.handlers.asgi import ASGIHandler
from django.core.handlers.exception import convert_exception_to_response

pages = get_asgi_application()

from api.surfaces.live_routing import websockets  # noqa: E402 - Django must be set up first
from contracts.version import INTERNAL_PREFIX  # noqa: E402


class BareHandler(ASGIHandler):
    """Sessions, languages and cookies mean nothing between services, and cost a thread each."""

    def load_middleware(self, is_async: bool = False) -> None:  # noqa: ARG002, FBT001, FBT002 - Django's signature
        self._view_middleware: list[Any] = []
        self._template_response_middleware: list[Any] = []
        self._exception_middleware: list[Any] = []
        self._middleware_chain = convert_exception_to_response(self._get_response_async)  # type: ignore[attr-defined]


internal = BareHandler()


async def http(scope: Any, receive: Any, send: Any) -> None:
    chosen = internal if scope["path"].startswith(INTERNAL_PREFIX + "/") else pages
    await chosen(scope, receive, send)


application = ProtocolTypeRouter({"http": http, "websocket": websockets})
