"""Erase a log, as the owner of the tables only: a tombstone says what was there and why it is gone."""

from uuid import UUID

from django.db import transaction

from api.rooms.agent_sessions.models import Session, SessionEvent, Tombstone
from api.rooms.agent_sessions.services.sessions import lock


@transaction.atomic
def erase_log(session_id: UUID, reason: str) -> int:
    """How many events were erased. The app role may not do this: grants and trigger refuse it."""
    lock(session_id)
    row = Session.objects.get(id=session_id)
    erased, _ = SessionEvent.objects.filter(session_id=session_id).delete()
    Tombstone.objects.update_or_create(
        session_id=session_id,
        defaults={"last_seq": row.next_seq - 1, "head_hash": row.head_hash, "reason": reason},
    )
    return erased
