""" "I'm ready to produce": the click is a fact, whatever follows (RN-142)."""

from uuid import UUID

from django.db import transaction

from api.rooms.agent_sessions import services as agent_sessions
from api.rooms.agent_sessions.services import SessionFacts
from api.rooms.agent_sessions.services.sessions import user_actor
from api.rooms.agents import services as agents
from api.rooms.agents.services.instances import of_session
from api.rooms.turns.domain.addressee import CREATIVE
from api.rooms.turns.domain.readiness import ReadinessBlock
from api.rooms.turns.selectors import readiness_of
from contracts.events import LogEvent, ReadinessConfirmed


@transaction.atomic
def confirm_readiness(session_id: UUID, user_id: UUID) -> LogEvent:
    """Clicked again while its run is open, or with nothing added since the brief: the same click, one event.

    Without a rule the click is written all the same, and the Creative refuses it durably (`no_business_rule`).
    """
    session = agent_sessions.lock(session_id)
    agent_sessions.refuse_unless_active(session)
    state = readiness_of(session_id)
    if state.reason in (ReadinessBlock.ALREADY_RUNNING, ReadinessBlock.NOTHING_NEW) and state.click is not None:
        if state.reason is ReadinessBlock.ALREADY_RUNNING:
            _lift_hold(session, state.click)
        return state.click
    return agents.deliver(session_id, user_actor(user_id), ReadinessConfirmed(), CREATIVE, lifts_hold=True)


def _lift_hold(session: SessionFacts, click: LogEvent) -> None:
    """A Stop held the click that still waits; clicking again is the person's word to go on."""
    for facts in of_session(session, CREATIVE):
        if facts.is_held:
            agents.save(facts, is_held=False, deaths=0)
            agents.wake_again(facts.id, facts.agent, click.seq)
