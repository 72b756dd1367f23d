"""Recomputing the chain of a log from its events, and holding it to an anchor that was made before."""

from collections.abc import Iterator
from uuid import UUID

from django.db import transaction

from api.rooms.agent_sessions.domain.anchors import Anchored
from api.rooms.agent_sessions.domain.chain import Broken, Link, Start, genesis, verify
from api.rooms.agent_sessions.models import SessionEvent, Tombstone
from api.rooms.kernel import statements

HEAD_SQL = """
SELECT next_seq, head_hash, (SELECT max(seq) FROM session_events WHERE session_id = session.id)
FROM agent_sessions_session AS session WHERE id = %s
"""
ROWS_SQL = """
SELECT min(seq) FROM session_events
WHERE session_id = %(session)s AND seq < %(next_seq)s AND (
    type IS DISTINCT FROM data #>> '{payload,type}' OR id::text IS DISTINCT FROM data ->> 'id'
    OR session_id::text IS DISTINCT FROM data ->> 'session_id' OR to_agent IS DISTINCT FROM data ->> 'to_agent'
    OR actor_kind IS DISTINCT FROM data #>> '{actor,kind}' OR actor_id IS DISTINCT FROM data #>> '{actor,id}'
    OR created_at IS DISTINCT FROM (data ->> 'created_at')::timestamptz
)
"""


@transaction.atomic
def verify_log(session_id: UUID) -> Broken | None:
    """The first bad seq of one log, or None. Streams: memory does not grow with the log (a cursor in a transaction)."""
    row = statements.row(HEAD_SQL, [session_id])
    if row is None:
        return Broken(1, "gone: its session is not there any more")
    next_seq, head, max_seq = row
    found = verify(_start(session_id), _links(session_id, next_seq), next_seq, bytes(head), max_seq)
    return found or _column_that_differs(session_id, next_seq)


def _links(session_id: UUID, next_seq: int) -> Iterator[Link]:
    """Up to the head that was read: whoever appends meanwhile is no intruder."""
    rows = SessionEvent.objects.filter(session_id=session_id, seq__lt=next_seq).order_by("seq")
    for seq, text, digest in rows.values_list("seq", "canonical", "hash").iterator(chunk_size=1000):
        yield Link(seq, text, bytes(digest))


def _column_that_differs(session_id: UUID, next_seq: int) -> Broken | None:
    """Columns repeat what the text says, for indexes; the chain covers the text alone."""
    row = statements.row(ROWS_SQL, {"session": session_id, "next_seq": next_seq})
    return Broken(row[0], "altered beside its text") if row and row[0] is not None else None


def _start(session_id: UUID) -> Start:
    """The beginning, or what lies behind an erased log."""
    stone = Tombstone.objects.filter(session_id=session_id).first()
    return Start(bytes(stone.head_hash), stone.last_seq + 1) if stone else Start(genesis(session_id))


def verify_anchored(anchored: Anchored) -> Broken | None:
    """The event that was the head when the anchor was made is still there and the same."""
    row = statements.row(HEAD_SQL, [anchored.session_id])
    if row is None:
        return Broken(1, "gone: its session is not there any more")
    if anchored.seq == 0:
        return None
    stone = Tombstone.objects.filter(session_id=anchored.session_id).first()
    if stone is not None and anchored.seq <= stone.last_seq:
        matches = anchored.seq < stone.last_seq or bytes(stone.head_hash) == anchored.hash
        return None if matches else Broken(anchored.seq, "another event than the anchor saw, under its tombstone")
    return _still_there(anchored, row[0])


def _still_there(anchored: Anchored, next_seq: int) -> Broken | None:
    rows = SessionEvent.objects.filter(session_id=anchored.session_id, seq__lte=anchored.seq).order_by("-seq")
    last = rows.values_list("seq", "hash").first()
    if last is None or last[0] < anchored.seq or next_seq <= anchored.seq:
        return Broken((last[0] if last else 0) + 1, f"cut off: the anchor saw {anchored.seq} events")
    return None if bytes(last[1]) == anchored.hash else Broken(anchored.seq, "another event than the anchor saw")
