"""A handoff is completed when the receiver's first turn on it succeeds."""

from uuid import UUID

from django.db import transaction

from api.rooms.agent_sessions import selectors as log
from api.rooms.agent_sessions import services as agent_sessions
from api.rooms.handoffs.models import Handoff
from api.rooms.kernel.clock import now
from contracts.events import Actor, HandoffAccepted, HandoffCompleted, TurnStarted
from contracts.vocabulary import ActorKind, HandoffStatus


@transaction.atomic
def complete_accepted(session_id: UUID, agent: str, turn_id: UUID) -> None:
    """Consumes `turn.completed`; delivered twice it changes nothing the second time.

    A turn that began before the acceptance was work on something else, however late its message comes.
    """
    agent_sessions.lock(session_id)
    rows = Handoff.objects.select_for_update(no_key=True).filter(
        session_id=session_id, to_agent=agent, status=HandoffStatus.ACCEPTED
    )
    begun_after = _accepted_before(session_id, turn_id)
    for row in rows.filter(id__in=begun_after):
        Handoff.objects.filter(id=row.id).update(status=HandoffStatus.COMPLETED, completed_at=now())
        actor = Actor(kind=ActorKind.SYSTEM, id="handoffs")
        agent_sessions.append(session_id, actor, HandoffCompleted(handoff_id=row.id))


def _accepted_before(session_id: UUID, turn_id: UUID) -> list[UUID]:
    """The handoffs that were accepted when this turn began, by their order in the log."""
    accepted: list[UUID] = []
    for event in log.events_of_types(session_id, ("handoff.accepted", "turn.started")):
        if isinstance(event.payload, HandoffAccepted):
            accepted.append(event.payload.handoff_id)
        elif isinstance(event.payload, TurnStarted) and event.payload.turn_id == turn_id:
            return accepted
    return []
