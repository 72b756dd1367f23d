"""Budgets for operators; counters and usage are read-only, and limits are set in the pages. Holds are the gateway's."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from api.rooms.budgets.domain.metering import Outcome
from api.rooms.budgets.domain.places import NodeKind
from api.rooms.budgets.models import Node, TokenUsage
from api.rooms.kernel.admin import ReadOnlyAdmin, closed_set


@admin.register(Node)
class NodeAdmin(ReadOnlyAdmin):
    list_display = ("kind", "id", "limit_micros", "spent_micros", "held_micros")
    list_filter = (closed_set("kind", _("kind"), list(NodeKind)),)
    search_ids = ("id", "parent_id")
    related = ((_("holds"), "budgets_hold"), (_("usage"), "budgets_tokenusage"))


@admin.register(TokenUsage)
class TokenUsageAdmin(ReadOnlyAdmin):
    list_display = ("created_at", "agent", "provider", "model", "outcome", "cost_micros", "is_estimated", "latency_ms")
    list_filter = (
        closed_set("outcome", _("outcome"), list(Outcome)),
        *("is_estimated", "is_overshot", "is_rehearsal", "created_at"),
    )
    search_ids = ("id", "session_id", "turn_id", "hold_id", "instance_id", "project_id", "workspace_id")
    search_texts = ("model", "error_code")
    related_by = "hold_id"
    related = ((_("hold"), "budgets_hold"), (_("call"), "gateway_call"))
