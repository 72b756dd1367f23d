"""Django's name for this room."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class BudgetsConfig(AppConfig):
    name = "api.rooms.budgets"
    label = "budgets"
    verbose_name = _("Money")
