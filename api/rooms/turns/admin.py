"""Turns for operators, and sessions, whose closing ends their turns."""

from typing import Any

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from api.rooms.agent_sessions.models import Session
from api.rooms.kernel.acts import Act, Operator
from api.rooms.kernel.admin import ReadOnlyAdmin, closed_set
from api.rooms.kernel.refusals import Refusal
from api.rooms.turns import services
from api.rooms.turns.models import Turn
from contracts.agents import ROSTER
from contracts.problem import ProblemCode
from contracts.vocabulary import SessionKind, SessionStatus, TerminationReason, TurnStatus

OF_A_SESSION = (
    (_("events"), "agent_sessions_sessionevent"),
    (_("turns"), "turns_turn"),
    (_("instances"), "agents_instance"),
    (_("handoffs"), "handoffs_handoff"),
    (_("calls"), "gateway_call"),
    (_("holds"), "budgets_hold"),
    (_("usage"), "budgets_tokenusage"),
    (_("acts"), "kernel_operatoract"),
)


def _stop_turn(row: Turn, operator: Operator) -> None:
    if row.status != TurnStatus.RUNNING:
        raise Refusal(ProblemCode.INVALID_TRANSITION, "This turn has ended already.")
    services.stop(row.session_id, operator.id, row.agent)


def _stop_all(row: Session, operator: Operator) -> None:
    services.stop(row.id, operator.id)


def _hide(row: Session, operator: Operator) -> None:
    services.hide_session(row.id, operator.id)


@admin.register(Turn)
class TurnAdmin(ReadOnlyAdmin):
    list_display = ("agent", "session_id", "number", "status", "reason", "started_at", "ended_at")
    list_filter = (
        closed_set("status", _("status"), list(TurnStatus)),
        closed_set("agent", _("agent"), list(ROSTER)),
        "started_at",
    )
    list_select_related = ("instance",)
    search_ids = ("id", "session_id", "instance_id")
    search_texts = ("reason",)
    related_by = "id"
    related = ((_("calls"), "gateway_call"), (_("usage"), "budgets_tokenusage"), (_("instance"), "agents_instance"))
    acts = (
        Act(
            "stop",
            _("Stop the turn"),
            _("The agent stops as if a person had pressed Stop, and waits until a person sends or continues."),
            _stop_turn,
        ),
    )


@admin.register(Session)
class SessionAdmin(ReadOnlyAdmin):
    list_display = (
        "__str__",
        "project",
        "kind",
        "status",
        "last_seq",
        "last_event_at",
        "termination_reason",
        "hidden_",
    )
    list_select_related = ("project",)
    list_filter = (
        closed_set("kind", _("kind"), list(SessionKind)),
        closed_set("status", _("status"), list(SessionStatus)),
        closed_set("termination_reason", _("reason"), list(TerminationReason)),
        "last_event_at",
    )
    search_ids = ("id", "project_id", "created_by_id")
    search_texts = ("name", "project__name", "created_by__email")
    hidden = ("head_hash",)
    related = OF_A_SESSION
    acts = (
        Act(
            "stop",
            _("Stop its turns"),
            _("Every running turn of these sessions stops; people can go on afterwards."),
            _stop_all,
        ),
        Act(
            "hide",
            _("Close and hide"),
            _("These sessions are closed, their turns stop, and nobody sees them in the pages; their log stays whole."),
            _hide,
        ),
    )

    @admin.display(description=_("events"))
    def last_seq(self, row: Session) -> int:
        return row.next_seq - 1

    @admin.display(description=_("hidden"), boolean=True)
    def hidden_(self, row: Any) -> bool:
        return row.deleted_at is not None
