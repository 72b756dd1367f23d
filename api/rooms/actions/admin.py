"""Proposed actions for operators, read-only."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from api.rooms.actions.models import ProposedAction
from api.rooms.kernel.admin import ReadOnlyAdmin, closed_set
from contracts.actions import ActionStatus, ActionType


@admin.register(ProposedAction)
class ProposedActionAdmin(ReadOnlyAdmin):
    list_display = ("title", "action_type", "status", "agent", "project", "decided_at", "created_at")
    list_select_related = ("project", "session")
    list_filter = (
        closed_set("status", _("status"), list(ActionStatus)),
        closed_set("action_type", _("type"), list(ActionType)),
    )
    search_ids = ("id", "project_id", "session_id")
