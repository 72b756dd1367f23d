"""Dead letters for operators: retry or discard, never edited."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from api.rooms.kernel.admin import ReadOnlyAdmin
from api.rooms.outbox import services
from api.rooms.outbox.models import OutboxMessage, Wake


@admin.register(OutboxMessage)
class OutboxMessageAdmin(ReadOnlyAdmin):
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
class WakeAdmin(ReadOnlyAdmin):
    list_display = ("instance_id", "agent", "seq", "due_at", "claimed_until", "attempts")
