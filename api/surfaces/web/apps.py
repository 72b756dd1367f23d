"""The Django app of the pages."""

from django.apps import AppConfig


class WebConfig(AppConfig):
    name = "api.surfaces.web"
    label = "web"
