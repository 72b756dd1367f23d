"""The log for operators: history is read-only. Sessions are in `turns.admin`: closing one ends turns."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from api.rooms.agent_sessions.models import SessionEvent, Tombstone
from api.rooms.kernel.admin import ReadOnlyAdmin, closed_set
from contracts.events import EVENT_TYPES
from contracts.vocabulary import ActorKind


@admin.register(SessionEvent)
class SessionEventAdmin(ReadOnlyAdmin):
    list_display = ("session_id", "seq", "type", "actor_kind", "actor_id", "to_agent", "created_at")
    list_filter = (
        closed_set("type", _("type"), list(EVENT_TYPES)),
        closed_set("actor_kind", _("actor"), list(ActorKind)),
    )
    search_ids = ("id", "session_id")
    hidden = ("data", "hash")
    related_by = "session_id"
    related = ((_("session"), "agent_sessions_session"),)


@admin.register(Tombstone)
class TombstoneAdmin(ReadOnlyAdmin):
    list_display = ("session_id", "last_seq", "reason", "erased_at")
    search_ids = ("session_id",)
    search_texts = ("reason",)
    hidden = ("head_hash",)
