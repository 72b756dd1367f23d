"""Django's name for this room."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ArchitectureConfig(AppConfig):
    name = "api.rooms.architecture"
    label = "architecture"
    verbose_name = _("Architecture")
