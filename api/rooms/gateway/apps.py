"""Django's name for this room."""

from django.apps import AppConfig


class GatewayConfig(AppConfig):
    name = "api.rooms.gateway"
    label = "gateway"
