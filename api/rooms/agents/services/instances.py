"""Lock an instance, check that its writer is still the one, save what a step decided."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from api.rooms.agent_sessions import services as agent_sessions
from api.rooms.agent_sessions.services import SessionFacts
from api.rooms.agents.models import Instance
from api.rooms.kernel import statements
from api.rooms.kernel.refusals import Refusal, not_found
from contracts.problem import ProblemCode


@dataclass(frozen=True)
class InstanceFacts:
    """What is true of a locked instance until the transaction ends."""

    id: UUID
    agent: str
    epoch: int
    step: int
    state: str | None
    cursor_seq: int
    wanted_seq: int
    is_held: bool
    turn_id: UUID | None
    turn_number: int
    session: SessionFacts

    @property
    def session_id(self) -> UUID:
        return self.session.id

    @property
    def project_id(self) -> UUID:
        return self.session.project_id

    @property
    def workspace_id(self) -> UUID:
        return self.session.workspace_id


COLUMNS = "id, agent, epoch, step, state, cursor_seq, wanted_seq, is_held, turn_id, turn_number"
SESSION_SQL = "SELECT session_id FROM agents_instance WHERE id = %s"
OF_SESSION_SQL = f"""
SELECT {COLUMNS} FROM agents_instance
WHERE session_id = %s AND agent = COALESCE(%s, agent) ORDER BY id FOR NO KEY UPDATE
"""  # noqa: S608 - our own words
LOCK_SQL = f"SELECT {COLUMNS} FROM agents_instance WHERE id = %s FOR NO KEY UPDATE"  # noqa: S608 - our own words


def _facts(row: tuple[Any, ...], session: SessionFacts) -> InstanceFacts:
    named: dict[str, Any] = dict(zip(COLUMNS.split(", "), row, strict=True))
    return InstanceFacts(**named, session=session)


def lock(instance_id: UUID) -> InstanceFacts:
    """Locks the session, then the instance (the order of all locks)."""
    found = statements.row(SESSION_SQL, [instance_id])
    if found is None:
        raise not_found("agent instance")
    session = agent_sessions.lock(found[0])
    return _facts(statements.rows(LOCK_SQL, [instance_id])[0], session)


def of_session(session: SessionFacts, agent: str | None = None) -> tuple[InstanceFacts, ...]:
    """Locks the instances of an already locked session, in id order."""
    return tuple(_facts(row, session) for row in statements.rows(OF_SESSION_SQL, [session.id, agent]))


def refuse_stale(facts: InstanceFacts, epoch: int) -> None:
    if facts.epoch != epoch:
        raise Refusal(
            ProblemCode.FENCED,
            f"Epoch {epoch} is over: the instance was claimed again (epoch {facts.epoch}). Drop this work.",
            {"epoch": str(facts.epoch)},
        )


def fence(instance_id: UUID, epoch: int, turn_id: UUID) -> InstanceFacts:
    """The one check of every engine write: still this worker's epoch, and still this turn."""
    facts = lock(instance_id)
    refuse_stale(facts, epoch)
    if facts.turn_id != turn_id:
        raise Refusal(ProblemCode.STOPPED, "This turn is not running any more. Drop this work and release.")
    return facts


def save(facts: InstanceFacts, **changes: object) -> None:
    """Columns of a locked instance."""
    statements.update(Instance, facts.id, changes)
