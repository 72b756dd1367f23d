"""Django's name for this room."""

from django.apps import AppConfig


class OutboxConfig(AppConfig):
    name = "api.rooms.outbox"
    label = "outbox"
