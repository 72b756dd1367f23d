"""Django's name for this room."""

from django.apps import AppConfig


class AgentsConfig(AppConfig):
    name = "api.rooms.agents"
    label = "agents"
