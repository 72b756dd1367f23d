"""Django's name for this room (`sessions` belongs to Django's own)."""

from django.apps import AppConfig


class AgentSessionsConfig(AppConfig):
    name = "api.rooms.agent_sessions"
    label = "agent_sessions"
