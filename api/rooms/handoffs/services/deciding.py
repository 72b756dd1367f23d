"""A person accepts or rejects: compare-and-set from `offered`, the same again answers the first result."""

from uuid import UUID

from django.db import transaction

from api.rooms.accounts.selectors import names_of
from api.rooms.agent_sessions import services as agent_sessions
from api.rooms.agent_sessions.services import SessionFacts
from api.rooms.agent_sessions.services.sessions import user_actor
from api.rooms.agents import services as agents
from api.rooms.handoffs import selectors
from api.rooms.handoffs.domain.decisions import Outcome, outcome
from api.rooms.handoffs.models import Handoff
from api.rooms.handoffs.selectors import HandoffCard
from api.rooms.handoffs.services.beginning import begin_or_owe
from api.rooms.kernel.clock import now
from api.rooms.kernel.refusals import Refusal, not_found
from contracts.base import has_forbidden_character
from contracts.events import HandoffAccepted, HandoffRejected
from contracts.limits import MAX_REASON_CHARS
from contracts.problem import ProblemCode
from contracts.vocabulary import HandoffStatus


@transaction.atomic
def accept(handoff_id: UUID, user_id: UUID) -> HandoffCard:
    """Accepts and activates; for an agent that has not arrived yet the activation is recorded as owed."""
    session, row = _lock(handoff_id)
    if not _must_decide(row, HandoffStatus.ACCEPTED):
        return selectors.handoff(handoff_id)
    agent_sessions.refuse_unless_active(session)
    _decide(row, HandoffStatus.ACCEPTED, user_id, "")
    payload = HandoffAccepted(handoff_id=row.id, to_agent=row.to_agent)
    agent_sessions.append(session.id, user_actor(user_id), payload)
    begin_or_owe(session, row, user_id)
    return selectors.handoff(handoff_id)


@transaction.atomic
def reject(handoff_id: UUID, user_id: UUID, reason: str) -> HandoffCard:
    """Needs a reason, which wakes the offering agent."""
    reason = reason.strip()
    if not reason or len(reason) > MAX_REASON_CHARS or has_forbidden_character(reason):
        raise Refusal(
            ProblemCode.INVALID_BODY,
            f"A rejection needs a reason of 1 to {MAX_REASON_CHARS} characters: the agent reads it.",
            {"field": "reason"},
        )
    session, row = _lock(handoff_id)
    if not _must_decide(row, HandoffStatus.REJECTED):
        return selectors.handoff(handoff_id)
    agent_sessions.refuse_unless_active(session)
    _decide(row, HandoffStatus.REJECTED, user_id, reason)
    payload = HandoffRejected(handoff_id=row.id, to_agent=row.to_agent, reason=reason)
    agents.deliver(session.id, user_actor(user_id), payload, row.from_agent, lifts_hold=True)
    return selectors.handoff(handoff_id)


def _lock(handoff_id: UUID) -> tuple[SessionFacts, Handoff]:
    """Session first, then the handoff (the order of all locks)."""
    session_id = Handoff.objects.filter(id=handoff_id).values_list("session_id", flat=True).first()
    if session_id is None:
        raise not_found("handoff")
    session = agent_sessions.lock(session_id)
    return session, Handoff.objects.select_for_update(no_key=True).get(id=handoff_id)


def _must_decide(row: Handoff, wanted: HandoffStatus) -> bool:
    """False for the same decision again; the opposite is refused with who and when."""
    result = outcome(HandoffStatus(row.status), wanted, is_superseded=row.is_superseded)
    if result is Outcome.OPPOSITE:
        who = names_of([row.decided_by_id]).get(row.decided_by_id, "") if row.decided_by_id else ""
        when = row.decided_at.isoformat() if row.decided_at else ""
        by = f" by {who}" if who else " by a newer offer"
        raise Refusal(
            ProblemCode.ALREADY_DECIDED,
            f"This handoff was {row.status}{by} at {when}.",
            {"status": row.status, "decided_by": who, "decided_at": when},
        )
    return result is Outcome.DECIDE


def _decide(row: Handoff, status: HandoffStatus, user_id: UUID, reason: str) -> None:
    Handoff.objects.filter(id=row.id, status=HandoffStatus.OFFERED).update(
        status=status, reason=reason, decided_by_id=user_id, decided_at=now()
    )
