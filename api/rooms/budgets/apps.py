"""Django's name for this room."""

from django.apps import AppConfig


class BudgetsConfig(AppConfig):
    name = "api.rooms.budgets"
    label = "budgets"
