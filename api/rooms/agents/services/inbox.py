"""Deliver an event to an agent: log, wanted mark and wake in one statement."""

from uuid import UUID

from api.rooms.agent_sessions.services.log import insert_event
from api.rooms.kernel import statements
from api.rooms.kernel.hurry import hurry_after_commit
from api.rooms.kernel.ids import new_id
from api.rooms.outbox import services as outbox
from contracts import story
from contracts.events import ADDRESSED, Actor, AnyEvent, LogEvent

DELIVER_TAIL = """
, wanted AS (
    UPDATE agents_instance SET wanted_seq = event.seq, is_held = is_held AND NOT %(lifts_hold)s, deaths = 0,
        swept_at = clock_timestamp(), sweeps = 0
    FROM event WHERE agents_instance.id = %(instance)s
), wake AS (
    INSERT INTO outbox_wake (instance_id, agent, seq, due_at, claimed_until, attempts, request_id)
    SELECT %(instance)s, %(to_agent)s, event.seq, now(), NULL, 0, %(request_id)s FROM event
    ON CONFLICT (instance_id) DO UPDATE
    SET seq = excluded.seq, due_at = now(), claimed_until = NULL, attempts = 0, request_id = excluded.request_id
)
SELECT seq FROM event
"""


FIND_SQL = "SELECT id FROM agents_instance WHERE session_id = %s AND agent = %s"
MAKE_SQL = """
INSERT INTO agents_instance (id, session_id, agent, epoch, step, cursor_seq, wanted_seq, is_held,
                             turn_number, deaths, deaths_step)
VALUES (%s, %s, %s, 0, 0, 0, 0, false, 0, 0, -1) ON CONFLICT (session_id, agent) DO NOTHING
"""


def ensure(session_id: UUID, agent: str) -> UUID:
    """The instance of this agent in this session, made when it is first needed."""
    found = statements.row(FIND_SQL, [session_id, agent])
    if found is None:
        statements.changed(MAKE_SQL, [new_id(), session_id, agent])
        found = statements.rows(FIND_SQL, [session_id, agent])[0]
    instance_id: UUID = found[0]
    return instance_id


def deliver(session_id: UUID, actor: Actor, payload: AnyEvent, to_agent: str, *, lifts_hold: bool) -> LogEvent:
    """Under the session's lock. `lifts_hold`: a person sent or continued, so a stopped agent may run again."""
    if payload.type not in ADDRESSED:
        raise ValueError(f"{payload.type} wakes nobody: append it with agent_sessions.append")
    instance_id = ensure(session_id, to_agent)
    parameters = {"instance": instance_id, "lifts_hold": lifts_hold, "request_id": story.current_request()}
    event = insert_event(session_id, actor, payload, to_agent, DELIVER_TAIL, parameters)
    hurry_after_commit()
    return event


def wake_again(instance_id: UUID, agent: str, seq: int) -> None:
    """A new reason to look at what is already in the inbox or in the saved state."""
    outbox.wake(instance_id, agent, seq)
