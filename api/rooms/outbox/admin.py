"""Dead letters for operators: retried or discarded, never edited."""

from typing import Any

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from api.rooms.kernel.acts import Act
from api.rooms.kernel.admin import ReadOnlyAdmin, closed_set
from api.rooms.outbox import services
from api.rooms.outbox.domain import MessageState
from api.rooms.outbox.models import OutboxMessage, Wake
from contracts.failures import FailureOrigin


class StateFilter(admin.SimpleListFilter):
    title = _("state")
    parameter_name = "state"

    def lookups(self, request: Any, model_admin: Any) -> list[tuple[str, str]]:
        return [(state.value, state.value) for state in MessageState]

    def queryset(self, request: Any, queryset: Any) -> Any:
        wanted = self.value()
        return queryset.filter(services.in_state(MessageState(wanted))) if wanted in set(MessageState) else queryset


@admin.register(OutboxMessage)
class OutboxMessageAdmin(ReadOnlyAdmin):
    list_display = ("type", "state", "created_at", "attempts", "retries", "due_at", "last_origin", "last_error")
    list_filter = (StateFilter, closed_set("last_origin", _("origin"), list(FailureOrigin)), "created_at")
    search_texts = ("type", "last_error")
    acts = (
        Act(
            "retry",
            _("Retry"),
            _("These dead letters become due at once, with a new count of attempts."),
            lambda row, operator: services.retry(row.id),
        ),
        Act(
            "discard",
            _("Discard"),
            _("These dead letters are never delivered: what they would have caused does not happen."),
            lambda row, operator: services.discard(row.id, operator.reason),
        ),
    )

    @admin.display(description=_("state"))
    def state(self, row: OutboxMessage) -> str:
        return services.state_of(row)


@admin.register(Wake)
class WakeAdmin(ReadOnlyAdmin):
    """A wake is a hint and never a dead letter: it is tried for ever, or the instance goes without it."""

    list_display = ("instance_id", "agent", "seq", "due_at", "claimed_until", "attempts")
    search_ids = ("instance_id",)
    search_texts = ("agent",)
    related_by = "instance_id"
    related = ((_("instance"), "agents_instance"),)
