"""Django's name for this room."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "api.rooms.accounts"
    label = "accounts"
    verbose_name = "People"
