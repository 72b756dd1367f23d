"""Save a step: events, state and the turn's begin or end in one transaction, fenced and idempotent."""

from uuid import UUID

from django.db import transaction

from api.rooms.agent_sessions import services as agent_sessions
from api.rooms.agents import selectors as inboxes
from api.rooms.agents import services as agents
from api.rooms.agents.domain.inbox import may_take
from api.rooms.agents.services import InstanceFacts
from api.rooms.agents.services.instances import refuse_stale
from api.rooms.gateway import services as gateway
from api.rooms.kernel import statements
from api.rooms.kernel.refusals import Refusal
from api.rooms.turns.models import Turn
from api.rooms.turns.selectors import is_readiness_turn
from api.rooms.turns.services.ending import agent_actor, end_turn
from contracts.events import LogEvent, ReadinessConfirmed, TurnContinued, TurnStarted
from contracts.problem import ProblemCode
from contracts.routes.instances import Step, StepAnswer, Take
from contracts.vocabulary import TurnStatus


@transaction.atomic
def step(instance_id: UUID, asked: Step, body_hash: str) -> StepAnswer:
    """409 `fenced`, `stopped` or `inbox_changed` write nothing; the same step again answers what the first did."""
    facts = agents.lock(instance_id)
    refuse_stale(facts, asked.epoch)
    return agents.answer_once(instance_id, f"step:{asked.step}", body_hash, StepAnswer, lambda: _take(facts, asked))


def _take(facts: InstanceFacts, asked: Step) -> StepAnswer:
    _refuse_out_of_order(facts, asked)
    return StepAnswer(events=_write(facts, asked), inbox=_next_inbox(facts, asked))


def _refuse_out_of_order(facts: InstanceFacts, asked: Step) -> None:
    if asked.step != facts.step + 1:
        raise Refusal(
            ProblemCode.FENCED,
            f"Step {asked.step} does not follow step {facts.step}: claim again.",
            {"step": str(facts.step)},
        )
    expected = None if asked.take else asked.turn_id
    if facts.turn_id != expected or (asked.take and facts.is_held):
        raise Refusal(ProblemCode.STOPPED, "This turn is not running. Drop this work and release.")


def _write(facts: InstanceFacts, asked: Step) -> tuple[LogEvent, ...]:
    written = [_begin(facts, asked.turn_id, asked.take)] if asked.take else []
    agents.save(facts, step=asked.step, state=asked.state)
    actor = agent_actor(facts.agent)
    written += [agent_sessions.append(facts.session_id, actor, payload) for payload in asked.events]
    if asked.end:
        running = agents.lock(facts.id) if asked.take else facts
        ended = end_turn(running, asked.end.status, asked.end.reason)
        written += [ended] if ended else []
    gateway.forget_kept(facts.id, asked.step)
    return tuple(written)


def _begin(facts: InstanceFacts, turn_id: UUID, take: Take) -> LogEvent:
    inbox = inboxes.inbox(facts.session_id, facts.agent, facts.cursor_seq)
    if not may_take(inbox, take.seqs):
        raise Refusal(ProblemCode.INBOX_CHANGED, "The inbox is not what it was: read it again and take from its front.")
    number = facts.turn_number + 1
    taken = inbox[: len(take.seqs)]
    row = {
        "id": turn_id,
        "instance_id": facts.id,
        "session_id": facts.session_id,
        "agent": facts.agent,
        "number": number,
        "status": TurnStatus.RUNNING,
        "is_readiness": any(_is_readiness(event) for event in taken),
    }
    statements.create(Turn, row)
    agents.save(facts, turn_id=turn_id, turn_number=number, cursor_seq=take.seqs[-1])
    payload = TurnStarted(turn_id=turn_id, number=number, taken=take.seqs)
    return agent_sessions.append(facts.session_id, agent_actor(facts.agent), payload)


def _is_readiness(event: LogEvent) -> bool:
    """A click, or a person's word to go on with the turn that a click had begun."""
    if isinstance(event.payload, TurnContinued) and event.payload.after_turn_id is not None:
        return is_readiness_turn(event.payload.after_turn_id)
    return isinstance(event.payload, ReadinessConfirmed)


def _next_inbox(facts: InstanceFacts, asked: Step) -> tuple[LogEvent, ...]:
    """Read after the writes, so that a turn's end answers with what waits now."""
    if not asked.end or facts.is_held:
        return ()
    cursor = asked.take.seqs[-1] if asked.take else facts.cursor_seq
    return inboxes.inbox(facts.session_id, facts.agent, cursor)
