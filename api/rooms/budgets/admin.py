"""Budgets for operators; counters, holds and usage are read only."""

from django.contrib import admin
from django.http import HttpRequest
from unfold.admin import ModelAdmin

from api.rooms.budgets.models import Hold, Node, TokenUsage
from api.rooms.kernel.admin import ReadOnlyAdmin


@admin.register(Node)
class NodeAdmin(ModelAdmin):
    list_display = ("kind", "id", "limit_micros", "spent_micros", "held_micros")
    list_filter = ("kind",)
    search_fields = ("id",)
    readonly_fields = ("id", "kind", "parent_id", "spent_micros", "held_micros")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object | None = None) -> bool:
        return False


@admin.register(Hold)
class HoldAdmin(ReadOnlyAdmin):
    list_display = ("status", "amount_micros", "booked_micros", "session_id", "step", "call", "attempt", "expires_at")
    list_filter = ("status",)


@admin.register(TokenUsage)
class TokenUsageAdmin(ReadOnlyAdmin):
    list_display = ("created_at", "agent", "provider", "model", "outcome", "cost_micros", "is_estimated", "latency_ms")
    list_filter = ("outcome", "provider", "is_estimated", "is_overshot", "is_rehearsal")
    search_fields = ("session_id", "turn_id")
