"""The architecture for operators, read-only."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from api.rooms.architecture.models import ArchitectureVersion, Kind
from api.rooms.kernel.admin import ReadOnlyAdmin, closed_set


@admin.register(ArchitectureVersion)
class ArchitectureVersionAdmin(ReadOnlyAdmin):
    list_display = ("kind", "version", "project", "session", "confirmed_at", "created_at")
    list_select_related = ("project", "session")
    list_filter = (closed_set("kind", _("kind"), list(Kind)),)
    search_ids = ("id", "project_id", "session_id", "event_id")
