"""Django's name for this room."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class GatewayConfig(AppConfig):
    name = "api.rooms.gateway"
    label = "gateway"
    verbose_name = _("Model calls")
