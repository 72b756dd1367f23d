"""Django's name for this room."""

from django.apps import AppConfig


class HandoffsConfig(AppConfig):
    name = "api.rooms.handoffs"
    label = "handoffs"
