"""Handoffs for operators, read-only."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from api.rooms.handoffs.models import Handoff
from api.rooms.kernel.admin import ReadOnlyAdmin, closed_set
from contracts.agents import ROSTER
from contracts.vocabulary import HandoffStatus


@admin.register(Handoff)
class HandoffAdmin(ReadOnlyAdmin):
    list_display = ("from_agent", "to_agent", "status", "session", "offered_at", "decided_by", "activation_owed_at")
    list_select_related = ("session", "decided_by")
    list_filter = (
        closed_set("status", _("status"), list(HandoffStatus)),
        closed_set("to_agent", _("agent"), list(ROSTER)),
        *("is_superseded", "offered_at"),
    )
    search_ids = ("id", "session_id", "artifact_event_id")
    related_by = "session_id"
    related = ((_("session"), "agent_sessions_session"), (_("events"), "agent_sessions_sessionevent"))
