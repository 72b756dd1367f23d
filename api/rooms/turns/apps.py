"""Django's name for this room."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class TurnsConfig(AppConfig):
    name = "api.rooms.turns"
    label = "turns"
    verbose_name = _("Turns")
