"""Django's name for this room."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class KernelConfig(AppConfig):
    name = "api.rooms.kernel"
    label = "kernel"
    verbose_name = _("Operators")
