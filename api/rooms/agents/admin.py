"""Instances and leases for operators, read-only."""

from django.contrib import admin

from api.rooms.agents.models import Instance
from api.rooms.kernel.admin import ReadOnlyAdmin


@admin.register(Instance)
class InstanceAdmin(ReadOnlyAdmin):
    list_display = (
        "agent",
        "session",
        "epoch",
        "step",
        "cursor_seq",
        "wanted_seq",
        "is_held",
        "turn_id",
        "lease_expires_at",
        "deaths",
    )
    list_filter = ("agent", "is_held")
    search_fields = ("id", "session__id")
