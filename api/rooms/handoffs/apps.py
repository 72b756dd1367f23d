"""Django's name for this room."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class HandoffsConfig(AppConfig):
    name = "api.rooms.handoffs"
    label = "handoffs"
    verbose_name = _("Handoffs")
