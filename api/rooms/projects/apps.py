"""Django's name for this room."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ProjectsConfig(AppConfig):
    name = "api.rooms.projects"
    label = "projects"
    verbose_name = _("Workspaces")
