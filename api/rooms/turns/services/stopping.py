"""Stop and Continue: the person's two words over a running agent."""

from functools import partial
from uuid import UUID

from django.db import transaction

from api.rooms.agent_sessions import services as agent_sessions
from api.rooms.agent_sessions.services import SessionFacts
from api.rooms.agent_sessions.services.sessions import user_actor
from api.rooms.agents import selectors as inboxes
from api.rooms.agents import services as agents
from api.rooms.agents.services import InstanceFacts
from api.rooms.agents.services.instances import of_session
from api.rooms.gateway import services as gateway
from api.rooms.kernel.clock import now
from api.rooms.kernel.refusals import Refusal
from api.rooms.turns.models import Turn
from api.rooms.turns.selectors import active_agent
from api.rooms.turns.services.ending import agent_actor, end_turn, error_event
from contracts.events import Actor, LogEvent, TurnContinued, TurnStopReceipt
from contracts.failures import ErrorCode
from contracts.money import Usage
from contracts.problem import ProblemCode
from contracts.vocabulary import TurnStatus


def stop(session_id: UUID, user_id: UUID, agent: str | None = None) -> tuple[UUID, ...]:
    """The turns that this ended; idempotent, and a no-op when idle. The streams are cut after the commit."""
    with transaction.atomic():
        session = agent_sessions.lock(session_id)
        stopped, calls = stop_locked(session, user_actor(user_id), agent)
        transaction.on_commit(partial(gateway.cut, calls))
    return stopped


def stop_locked(
    session: SessionFacts, by: Actor, agent: str | None = None
) -> tuple[tuple[UUID, ...], tuple[UUID, ...]]:
    """Turns ended and model calls to cut, under the session's lock."""
    stopped: list[UUID] = []
    calls: list[UUID] = []
    for facts in of_session(session, agent):
        if facts.turn_id is not None:
            stopped.append(facts.turn_id)
            calls.extend(_stop_turn(facts, facts.turn_id, by))
        if facts.turn_id is not None or facts.wanted_seq > facts.cursor_seq:
            # Held: nothing is wanted, sweeps included, until the person sends or continues.
            agents.save(facts, is_held=True)
    return tuple(stopped), tuple(calls)


def _stop_turn(facts: InstanceFacts, turn_id: UUID, by: Actor) -> tuple[UUID, ...]:
    actor = agent_actor(facts.agent)
    agent_sessions.append(facts.session_id, actor, error_event(ErrorCode.CANCELLED_BY_USER, turn_id=turn_id))
    end_turn(facts, TurnStatus.STOPPED, ErrorCode.CANCELLED_BY_USER, by)
    calls = gateway.mark_stopped(turn_id, now())
    if not calls:
        receipt = TurnStopReceipt(turn_id=turn_id, close_ms=0, usage=Usage(), cost_micros=0)
        agent_sessions.append(facts.session_id, actor, receipt)
    return calls


@transaction.atomic
def continue_turn(session_id: UUID, user_id: UUID, agent: str | None = None) -> LogEvent | None:
    """Go on after a Stop, an interruption or a failure: the queue first, else the conversation as it stands.

    None when a turn runs already or the queue goes on by itself.
    """
    session = agent_sessions.lock(session_id)
    agent_sessions.refuse_unless_active(session)
    facts = _to_continue(session, agent or active_agent(session_id))
    if facts.turn_id is not None:
        return None
    if inboxes.inbox(session_id, facts.agent, facts.cursor_seq):
        agents.save(facts, is_held=False, deaths=0)
        agents.wake_again(facts.id, facts.agent, facts.wanted_seq)
        return None
    last = Turn.objects.filter(instance_id=facts.id).order_by("-number").values_list("id", "status").first()
    if last is None or last[1] == TurnStatus.COMPLETED:
        raise Refusal(ProblemCode.INVALID_TRANSITION, "There is nothing to continue: send a message instead.")
    payload = TurnContinued(after_turn_id=last[0])
    return agents.deliver(session_id, user_actor(user_id), payload, facts.agent, lifts_hold=True)


def _to_continue(session: SessionFacts, agent: str | None) -> InstanceFacts:
    instances = of_session(session, agent)
    if not instances:
        raise Refusal(ProblemCode.INVALID_TRANSITION, "No agent has spoken here yet: send a message instead.")
    held = [facts for facts in instances if facts.is_held]
    return held[0] if held else instances[-1]
