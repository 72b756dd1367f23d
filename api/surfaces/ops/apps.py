"""Django's name for this surface."""

from django.apps import AppConfig


class OpsConfig(AppConfig):
    name = "api.surfaces.ops"
    label = "ops"
