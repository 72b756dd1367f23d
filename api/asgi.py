"""The ASGI door: internal routes without middleware, pages and REST through Django, websockets through Channels."""

import logging
import os
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "api.settings")

import django
from channels.routing import ProtocolTypeRouter

django.setup(set_prefix=False)

from api.surfaces.internal.door import BareHandler  # noqa: E402 - Django must be set up first
from api.surfaces.live_routing import websockets  # noqa: E402
from api.surfaces.ops.requests import Requests  # noqa: E402
from api.surfaces.telling import TellingHandler  # noqa: E402
from contracts.edge import ROUTE, Edge  # noqa: E402
from contracts.version import INTERNAL_PREFIX  # noqa: E402

STATIC = "/static/"
pages, internal = TellingHandler(), BareHandler()


async def http(scope: Any, receive: Any, send: Any) -> None:
    if scope["path"].startswith(STATIC):
        scope[ROUTE] = STATIC[1:]  # a middleware answers these, and nobody resolves their address
    chosen = internal if scope["path"].startswith(INTERNAL_PREFIX + "/") else pages
    await chosen(scope, receive, send)


router = ProtocolTypeRouter({"http": http, "websocket": websockets})
application = Edge(router, logging.getLogger("api.access"), Requests())
