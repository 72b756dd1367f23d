"""The receiver of an accepted handoff begins: at once, or when it arrives (its activation is owed until then)."""

from uuid import UUID

from django.db import transaction

from api.rooms.agent_sessions import services as agent_sessions
from api.rooms.agent_sessions.services import SessionFacts
from api.rooms.agent_sessions.services.sessions import user_actor
from api.rooms.agents import services as agents
from api.rooms.handoffs.models import Handoff
from api.rooms.kernel.clock import now
from api.rooms.turns.services.starting import activate
from contracts.agents import ROSTER, card_of
from contracts.events import AgentActivationOwed, HandoffStarted
from contracts.vocabulary import HandoffStatus, SessionStatus


def begin(session: SessionFacts, row: Handoff, user_id: UUID) -> None:
    """Under the session's lock: it becomes the active agent and is woken with what it takes over."""
    activate(session, user_id, row.to_agent, row.id)
    started = HandoffStarted(
        handoff_id=row.id,
        from_agent=row.from_agent,
        to_agent=row.to_agent,
        artifact_event_id=row.artifact_event_id,
        epic=row.epic or None,
    )
    agents.deliver(session.id, user_actor(user_id), started, row.to_agent, lifts_hold=True)


def begin_or_owe(session: SessionFacts, row: Handoff, user_id: UUID) -> None:
    """For an agent that has not arrived yet the activation is recorded as owed."""
    card = card_of(row.to_agent)
    if card is not None and card.is_available:
        begin(session, row, user_id)
        return
    Handoff.objects.filter(id=row.id).update(activation_owed_at=now())
    owed = AgentActivationOwed(agent=row.to_agent, handoff_id=row.id)
    agent_sessions.append(session.id, user_actor(user_id), owed)


def honour_owed() -> int:
    """Those whose agent has arrived, each in a transaction of its own; how many began. An ended session stays so."""
    here = [card.slug for card in ROSTER.values() if card.is_available]
    owed = Handoff.objects.filter(
        activation_owed_at__isnull=False,
        status=HandoffStatus.ACCEPTED,
        to_agent__in=here,
        session__status=SessionStatus.ACTIVE,
        session__deleted_at=None,
    ).order_by("activation_owed_at")
    return sum(_honour(row_id, session_id) for row_id, session_id in owed.values_list("id", "session_id"))


@transaction.atomic
def _honour(handoff_id: UUID, session_id: UUID) -> bool:
    session = agent_sessions.lock(session_id)
    rows = Handoff.objects.select_for_update(no_key=True).filter(id=handoff_id, activation_owed_at__isnull=False)
    row = rows.first()
    if row is None or row.decided_by_id is None or session.status is not SessionStatus.ACTIVE:
        return False
    Handoff.objects.filter(id=row.id).update(activation_owed_at=None)
    begin(session, row, row.decided_by_id)
    return True
