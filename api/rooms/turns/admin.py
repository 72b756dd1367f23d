"""Turns for operators, read-only."""

from django.contrib import admin

from api.rooms.kernel.admin import ReadOnlyAdmin
from api.rooms.turns.models import Turn


@admin.register(Turn)
class TurnAdmin(ReadOnlyAdmin):
    list_display = ("agent", "session_id", "number", "status", "reason", "started_at", "ended_at")
    list_filter = ("status", "agent", "reason")
    search_fields = ("id", "session_id")
