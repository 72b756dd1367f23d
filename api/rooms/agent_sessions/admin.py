"""Sessions and their log for operators: history is read-only."""

from django.contrib import admin

from api.rooms.agent_sessions.models import Session, SessionEvent
from api.rooms.kernel.admin import ReadOnlyAdmin


@admin.register(Session)
class SessionAdmin(ReadOnlyAdmin):
    list_display = ("__str__", "project", "kind", "status", "next_seq", "last_event_at", "termination_reason")
    list_filter = ("kind", "status", "termination_reason")
    search_fields = ("id", "name", "project__name")


@admin.register(SessionEvent)
class SessionEventAdmin(ReadOnlyAdmin):
    list_display = ("session", "seq", "type", "actor_kind", "actor_id", "to_agent", "created_at")
    list_filter = ("type", "actor_kind")
    search_fields = ("id", "session__id")
    fields = ("id", "session", "seq", "type", "actor_kind", "actor_id", "to_agent", "created_at", "canonical")
    show_full_result_count = False
