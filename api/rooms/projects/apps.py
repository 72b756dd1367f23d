"""Django's name for this room."""

from django.apps import AppConfig


class ProjectsConfig(AppConfig):
    name = "api.rooms.projects"
    label = "projects"
