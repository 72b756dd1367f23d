"""Instances and leases for operators: read-only but for what gets a stuck one going."""

from typing import Any

from django.contrib import admin
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from api.rooms.agents.domain.lease_words import lease_words
from api.rooms.agents.models import Instance
from api.rooms.agents.services import operating
from api.rooms.kernel.acts import Act
from api.rooms.kernel.admin import ReadOnlyAdmin, closed_set
from api.rooms.kernel.clock import now
from contracts.agents import ROSTER


class LeaseFilter(admin.SimpleListFilter):
    title = _("lease")
    parameter_name = "lease"

    def lookups(self, request: Any, model_admin: Any) -> list[tuple[str, Any]]:
        return [("held", _("held")), ("expired", _("expired")), ("free", _("free"))]

    def queryset(self, request: Any, queryset: Any) -> Any:
        taken = queryset.exclude(lease_worker=None)
        match self.value():
            case "held":
                return taken.filter(lease_expires_at__gte=now())
            case "expired":
                return taken.filter(lease_expires_at__lt=now())
            case "free":
                return queryset.filter(lease_worker=None)
        return queryset


@admin.register(Instance)
class InstanceAdmin(ReadOnlyAdmin):
    list_display = ("agent", "session", "lease", "is_held", "turn_id", "epoch", "step", "waits", "deaths")
    list_select_related = ("session",)
    list_filter = (LeaseFilter, closed_set("agent", _("agent"), list(ROSTER)), "is_held")
    search_ids = ("id", "session_id", "turn_id", "lease_worker")
    hidden = ("state",)
    shown = (
        *("id", "session", "agent", "lease", "lease_worker", "lease_since", "is_held", "turn_id", "turn_number"),
        *("waits", "epoch", "step", "deaths", "deaths_step", "swept_at", "created_at"),
    )
    readonly_fields = ("lease", "waits")
    related_by = "session_id"
    related = (
        (_("session"), "agent_sessions_session"),
        (_("events"), "agent_sessions_sessionevent"),
        (_("turns"), "turns_turn"),
        (_("calls"), "gateway_call"),
        (_("wake"), "outbox_wake"),
    )
    acts = (
        Act(
            "release",
            _("Release the lease"),
            _("The worker that holds it loses these agents and drops its work; another takes over at once."),
            lambda row, operator: operating.free_lease(row.id),
        ),
        Act(
            "wake",
            _("Wake"),
            _("A worker looks at these agents at once; those with nothing to do stay idle."),
            lambda row, operator: operating.wake_now(row.id),
        ),
        Act(
            "revive",
            _("Revive"),
            _("Deaths are forgotten, a hold after Stop is lifted, and the agents go on with what waits for them."),
            lambda row, operator: operating.revive(row.id),
        ),
    )

    @admin.display(description=_("lease"))
    def lease(self, row: Instance) -> str:
        state, said = lease_words(row.lease_worker, row.lease_expires_at, now())
        words = {"free": _now("free"), "held": _now("held until"), "expired": _now("expired")}
        return f"{words[state]} {said}".strip()

    @admin.display(description=_("waits from → to"))
    def waits(self, row: Instance) -> str:
        return f"{row.cursor_seq} → {row.wanted_seq}"
