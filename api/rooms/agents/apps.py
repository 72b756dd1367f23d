"""Django's name for this room."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AgentsConfig(AppConfig):
    name = "api.rooms.agents"
    label = "agents"
    verbose_name = _("Agents")
