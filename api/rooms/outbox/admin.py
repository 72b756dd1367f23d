"""Dead letters for operators: retry or discard, never edited."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from unfold.admin import ModelAdmin

from api.rooms.outbox import services
from api.rooms.outbox.models import OutboxMessage, Wake


class ReadOnly(ModelAdmin):
    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


@admin.register(OutboxMessage)
class OutboxMessageAdmin(ReadOnly):
    list_display = ("type", "created_at", "attempts", "delivered_at", "dead_at", "last_error")
    list_filter = ("type", ("dead_at", admin.EmptyFieldListFilter))
    actions = ("retry", "discard")

    @admin.action(description="Retry the chosen dead letters")
    def retry(self, request: HttpRequest, queryset: QuerySet[OutboxMessage]) -> None:
        for row in queryset:
            services.retry(row.id)

    @admin.action(description="Discard the chosen dead letters")
    def discard(self, request: HttpRequest, queryset: QuerySet[OutboxMessage]) -> None:
        for row in queryset:
            services.discard(row.id)


@admin.register(Wake)
class WakeAdmin(ReadOnly):
    list_display = ("instance_id", "agent", "seq", "due_at", "claimed_until", "attempts")
