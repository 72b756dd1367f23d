"""A handoff is completed when the receiver's first turn on it succeeds."""

from uuid import UUID

from django.db import transaction

from api.rooms.agent_sessions import services as agent_sessions
from api.rooms.handoffs.models import Handoff
from api.rooms.kernel.clock import now
from contracts.events import Actor, HandoffCompleted
from contracts.vocabulary import ActorKind, HandoffStatus


@transaction.atomic
def complete_accepted(session_id: UUID, agent: str) -> None:
    """Consumes `turn.completed`; delivered twice it changes nothing the second time."""
    agent_sessions.lock(session_id)
    rows = Handoff.objects.select_for_update(no_key=True).filter(
        session_id=session_id, to_agent=agent, status=HandoffStatus.ACCEPTED
    )
    for row in rows:
        Handoff.objects.filter(id=row.id).update(status=HandoffStatus.COMPLETED, completed_at=now())
        actor = Actor(kind=ActorKind.SYSTEM, id="handoffs")
        agent_sessions.append(session_id, actor, HandoffCompleted(handoff_id=row.id))
