"""Django's name for this room."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ActionsConfig(AppConfig):
    name = "api.rooms.actions"
    label = "actions"
    verbose_name = _("Proposed actions")
