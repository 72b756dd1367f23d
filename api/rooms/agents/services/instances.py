"""Lock an instance, check that its writer is still the one, save what a step decided."""

from dataclasses import dataclass
from uuid import UUID

from api.rooms.agent_sessions import services as agent_sessions
from api.rooms.agent_sessions.services import SessionFacts
from api.rooms.agents.models import Instance
from api.rooms.kernel.refusals import Refusal, not_found
from contracts.problem import ProblemCode


@dataclass(frozen=True)
class InstanceFacts:
    """What is true of a locked instance until the transaction ends."""

    id: UUID
    session_id: UUID
    project_id: UUID
    workspace_id: UUID
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


def _facts(row: Instance, session: SessionFacts) -> InstanceFacts:
    return InstanceFacts(
        id=row.id,
        session_id=session.id,
        project_id=session.project_id,
        workspace_id=session.workspace_id,
        agent=row.agent,
        epoch=row.epoch,
        step=row.step,
        state=row.state,
        cursor_seq=row.cursor_seq,
        wanted_seq=row.wanted_seq,
        is_held=row.is_held,
        turn_id=row.turn_id,
        turn_number=row.turn_number,
        session=session,
    )


def lock(instance_id: UUID) -> InstanceFacts:
    """Locks the session, then the instance (the order of all locks)."""
    session_id = Instance.objects.filter(id=instance_id).values_list("session_id", flat=True).first()
    if session_id is None:
        raise not_found("agent instance")
    session = agent_sessions.lock(session_id)
    return _facts(Instance.objects.select_for_update(no_key=True).get(id=instance_id), session)


def of_session(session: SessionFacts, agent: str | None = None) -> tuple[InstanceFacts, ...]:
    """Locks the instances of an already locked session, in id order."""
    rows = Instance.objects.select_for_update(no_key=True).filter(session_id=session.id).order_by("id")
    return tuple(_facts(row, session) for row in (rows.filter(agent=agent) if agent else rows))


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
    Instance.objects.filter(id=facts.id).update(**changes)
