"""An agent offers its work to the next one; a newer offer replaces an older open one."""

from uuid import UUID

from django.db import transaction

from api.rooms.agent_sessions import services as agent_sessions
from api.rooms.agents import services as agents
from api.rooms.agents.services import InstanceFacts
from api.rooms.handoffs.domain.offers import refuse_target
from api.rooms.handoffs.models import Handoff
from api.rooms.handoffs.services.artifacts import artifact_of
from api.rooms.kernel.clock import now
from api.rooms.kernel.refusals import Refusal
from api.rooms.turns.services.ending import agent_actor
from contracts.events import Actor, HandoffOffered, HandoffRejected
from contracts.limits import MAX_OFFERS_OF_A_PAIR
from contracts.problem import ProblemCode
from contracts.routes.effects import HandoffAnswer, OfferHandoff
from contracts.vocabulary import ActorKind, HandoffStatus

SUPERSEDED = "superseded"


@transaction.atomic
def offer(instance_id: UUID, asked: OfferHandoff, body_hash: str) -> HandoffAnswer:
    """Row and event in one transaction; the target is validated before anything is written."""
    facts = agents.fence(instance_id, asked.epoch, asked.turn_id)
    return agents.answer_once(
        instance_id, f"handoff:{asked.step}", body_hash, HandoffAnswer, lambda: _offer(facts, asked)
    )


def _offer(facts: InstanceFacts, asked: OfferHandoff) -> HandoffAnswer:
    if asked.artifact_event_id is not None:
        artifact_of(facts, asked.artifact_event_id)
    return offer_to(facts, asked.to_agent, asked.artifact_event_id)


def offer_to(facts: InstanceFacts, to_agent: str, artifact_event_id: UUID | None) -> HandoffAnswer:
    """Under the session's lock. What went round too often is refused: a person decides then."""
    wrong = refuse_target(facts.agent, to_agent) or _refuse_circle(facts, to_agent)
    if wrong is not None:
        raise Refusal(ProblemCode.INVALID_HANDOFF, wrong)
    _supersede_open(facts, to_agent)
    return _insert(facts, to_agent, artifact_event_id)


def _refuse_circle(facts: InstanceFacts, to_agent: str) -> str | None:
    rows = Handoff.objects.filter(
        session_id=facts.session_id, from_agent=facts.agent, to_agent=to_agent, is_superseded=False
    )
    if rows.exclude(status=HandoffStatus.OFFERED).count() < MAX_OFFERS_OF_A_PAIR:
        return None
    return (
        f"You offered this to {to_agent} {MAX_OFFERS_OF_A_PAIR} times in this session already. Tell the person how it "
        "stands; they hand it over themselves if they want to."
    )


def _insert(facts: InstanceFacts, to_agent: str, artifact_event_id: UUID | None) -> HandoffAnswer:
    row = Handoff.objects.create(
        session_id=facts.session_id, from_agent=facts.agent, to_agent=to_agent, artifact_event_id=artifact_event_id
    )
    payload = HandoffOffered(
        handoff_id=row.id, from_agent=facts.agent, to_agent=to_agent, artifact_event_id=artifact_event_id
    )
    event = agent_sessions.append(facts.session_id, agent_actor(facts.agent), payload)
    return HandoffAnswer(handoff_id=row.id, event=event)


def _supersede_open(facts: InstanceFacts, to_agent: str) -> None:
    rows = Handoff.objects.select_for_update(no_key=True).filter(
        session_id=facts.session_id, from_agent=facts.agent, to_agent=to_agent, status=HandoffStatus.OFFERED
    )
    for row in rows:
        Handoff.objects.filter(id=row.id).update(
            status=HandoffStatus.REJECTED, reason=SUPERSEDED, is_superseded=True, decided_at=now()
        )
        payload = HandoffRejected(handoff_id=row.id, to_agent=to_agent, reason=SUPERSEDED, superseded=True)
        # Addressed to nobody: the offerer needs no waking to learn of its own newer offer.
        agent_sessions.insert_event(facts.session_id, Actor(kind=ActorKind.SYSTEM, id="handoffs"), payload, None)
