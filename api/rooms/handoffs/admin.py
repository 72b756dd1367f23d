"""Handoffs for operators, read-only."""

from django.contrib import admin

from api.rooms.handoffs.models import Handoff
from api.rooms.kernel.admin import ReadOnlyAdmin


@admin.register(Handoff)
class HandoffAdmin(ReadOnlyAdmin):
    list_display = ("from_agent", "to_agent", "status", "session", "offered_at", "decided_by", "activation_owed_at")
    list_filter = ("status", "to_agent", "is_superseded")
    search_fields = ("id", "session__id")
