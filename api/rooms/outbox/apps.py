"""Django's name for this room."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class OutboxConfig(AppConfig):
    name = "api.rooms.outbox"
    label = "outbox"
    verbose_name = _("Messages between rooms")
