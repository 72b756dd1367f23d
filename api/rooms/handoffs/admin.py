"""Handoffs for operators, read-only."""

from django.contrib import admin

from api.rooms.agent_sessions.admin import History
from api.rooms.handoffs.models import Handoff


@admin.register(Handoff)
class HandoffAdmin(History):
    list_display = ("from_agent", "to_agent", "status", "session", "offered_at", "decided_by", "activation_owed_at")
    list_filter = ("status", "to_agent", "is_superseded")
    search_fields = ("id", "session__id")
