"""Websocket addresses, behind origin and person checks."""

from channels.auth import AuthMiddlewareStack
from channels.routing import URLRouter
from channels.security.websocket import AllowedHostsOriginValidator
from django.urls import path

from api.surfaces.live.consumer import SessionConsumer
from api.surfaces.throttling.doors import ThrottledSockets

websockets = AllowedHostsOriginValidator(
    ThrottledSockets(
        AuthMiddlewareStack(URLRouter([path("ws/sessions/<uuid:session_id>/", SessionConsumer.as_asgi())]))
    )
)
