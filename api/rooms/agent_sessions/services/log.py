"""The one way into the log: seq, hash, event and head in one statement, then a broadcast after the commit."""

from typing import Any
from uuid import UUID

from django.db import transaction

from api.rooms.agent_sessions import broadcast
from api.rooms.agent_sessions.domain import canonical
from api.rooms.kernel import pauses, statements
from api.rooms.kernel.clock import now
from api.rooms.kernel.ids import new_id
from api.rooms.kernel.refusals import not_found
from contracts.events import ADDRESSED, Actor, AnyEvent, LogEvent

# The UPDATE locks the head, so concurrent appends queue here and the chain stays linear.
APPEND_SQL = """
WITH head AS (
    UPDATE agent_sessions_session
    SET next_seq = next_seq + 1,
        head_hash = sha256(head_hash || convert_to(%(before)s || next_seq::text || %(after)s, 'UTF8')),
        last_event_at = %(at)s
    WHERE id = %(session)s
    RETURNING next_seq - 1 AS seq, head_hash
), event AS (
    INSERT INTO session_events
        (id, session_id, seq, type, actor_kind, actor_id, to_agent, created_at, canonical, hash)
    SELECT %(id)s, %(session)s, seq, %(type)s, %(actor_kind)s, %(actor_id)s, %(to_agent)s, %(at)s,
           %(before)s || seq::text || %(after)s, head_hash
    FROM head
    RETURNING seq
)
"""
PLAIN_TAIL = "SELECT seq FROM event"


def refuse_addressed(payload: AnyEvent) -> None:
    """This room knows no inbox: what is addressed goes through `agents.deliver`."""
    if payload.type in ADDRESSED:
        raise ValueError(f"{payload.type} is addressed: append it with agents.deliver")


def insert_event(
    session_id: UUID,
    actor: Actor,
    payload: AnyEvent,
    to_agent: str | None,
    tail: str = PLAIN_TAIL,
    parameters: dict[str, Any] | None = None,
) -> LogEvent:
    """One statement. `tail` goes on from the common table `event(seq)` and must select `seq`."""
    event_id, at = new_id(), now()
    text = canonical.write(event_id, session_id, actor, to_agent, at, payload)
    values: dict[str, Any] = {
        "id": event_id,
        "session": session_id,
        "type": payload.type,
        "actor_kind": actor.kind,
        "actor_id": actor.id,
        "to_agent": to_agent,
        "at": at,
        "before": text.before,
        "after": text.after,
        **(parameters or {}),
    }
    row = statements.row(APPEND_SQL + tail, values)
    if row is None:
        raise not_found("session")
    event = LogEvent(
        id=event_id, session_id=session_id, seq=row[0], actor=actor, to_agent=to_agent, created_at=at, payload=payload
    )
    written = text.text(event.seq)
    transaction.on_commit(lambda: _tell(session_id, written))
    return event


def _tell(session_id: UUID, written: str) -> None:
    """Committed already: whoever dies here has lost a hint and nothing else."""
    pauses.at("api_commit_before_broadcast")
    broadcast.event(session_id, written)


def append(session_id: UUID, actor: Actor, payload: AnyEvent) -> LogEvent:
    """Write one event that nobody is woken by, inside the caller's transaction; alone it is one round trip."""
    refuse_addressed(payload)
    return insert_event(session_id, actor, payload, None)
