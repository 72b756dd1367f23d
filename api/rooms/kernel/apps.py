"""Django's name for this room."""

from django.apps import AppConfig


class KernelConfig(AppConfig):
    name = "api.rooms.kernel"
    label = "kernel"
