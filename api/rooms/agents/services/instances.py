"""Lock an instance, check that its writer is still the one, save what a step decided."""

from dataclasses import dataclass
from functools import lru_cache
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
OWNER_SQL = "SELECT session_id, agent FROM agents_instance WHERE id = %s"
REMEMBERED = 20_000
OF_SESSION_SQL = f"""
SELECT {COLUMNS} FROM agents_instance
WHERE session_id = %s AND agent = COALESCE(%s, agent) ORDER BY id FOR NO KEY UPDATE
"""  # noqa: S608 - our own words
LOCK_SQL = f"SELECT {COLUMNS} FROM agents_instance WHERE id = %s FOR NO KEY UPDATE"  # noqa: S608 - our own words


def _facts(row: tuple[Any, ...], session: SessionFacts) -> InstanceFacts:
    named: dict[str, Any] = dict(zip(COLUMNS.split(", "), row, strict=True))
    return InstanceFacts(**named, session=session)


@dataclass(frozen=True)
class Owner:
    """What never changes of an instance."""

    session_id: UUID
    agent: str


@lru_cache(REMEMBERED)
def owner_of(instance_id: UUID) -> Owner:
    """Without a lock; it may have been deleted since. Raises Refusal (`not_found`)."""
    found = statements.row(OWNER_SQL, [instance_id])
    if found is None:
        raise not_found("agent instance")
    return Owner(*found)


class Locking:
    """Locks of a session and its instance (the order of all locks) that were sent; `facts` when they are held."""

    def __init__(self, instance_id: UUID) -> None:
        self._session = agent_sessions.Locking(owner_of(instance_id).session_id)
        self._instance = statements.send(LOCK_SQL, [instance_id])

    def facts(self) -> InstanceFacts:
        """Raises Refusal (`not_found`)."""
        session, row = self._session.facts(), self._instance.row()
        if row is None:
            raise not_found("agent instance")
        return _facts(row, session)

    def fenced(self, epoch: int, turn_id: UUID) -> InstanceFacts:
        """The one check of every engine write: still this worker's epoch, and still this turn."""
        facts = self.facts()
        refuse_stale(facts, epoch)
        if facts.turn_id != turn_id:
            raise Refusal(ProblemCode.STOPPED, "This turn is not running any more. Drop this work and release.")
        return facts


def lock(instance_id: UUID) -> InstanceFacts:
    """Locks the session, then the instance."""
    return _locked(instance_id).facts()


def _locked(instance_id: UUID) -> Locking:
    owner_of(instance_id)  # asked before anything is sent together, since its answer is needed at once
    with statements.together():
        return Locking(instance_id)


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
    """Locks, and refuses whoever is not the writer any more."""
    return _locked(instance_id).fenced(epoch, turn_id)


def save(facts: InstanceFacts, **changes: object) -> None:
    """Columns of a locked instance."""
    statements.update(Instance, facts.id, changes)
