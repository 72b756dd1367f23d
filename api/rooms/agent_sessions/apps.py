"""Django's name for this room (`sessions` belongs to Django's own)."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AgentSessionsConfig(AppConfig):
    name = "api.rooms.agent_sessions"
    label = "agent_sessions"
    verbose_name = _("Sessions and their log")
