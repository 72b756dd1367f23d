"""Django's name for this room."""

from django.apps import AppConfig


class TurnsConfig(AppConfig):
    name = "api.rooms.turns"
    label = "turns"
