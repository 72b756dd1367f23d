"""Django's name for this room."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class BacklogConfig(AppConfig):
    name = "api.rooms.backlog"
    label = "backlog"
    verbose_name = _("Backlog")
