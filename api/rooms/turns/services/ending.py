"""A turn ends by one compare-and-set; whoever comes second changes nothing."""

from uuid import UUID

from api.rooms.agent_sessions import services as agent_sessions
from api.rooms.agents import services as agents
from api.rooms.agents.services import InstanceFacts
from api.rooms.kernel import statements
from api.rooms.kernel.clock import now
from api.rooms.outbox import services as outbox
from contracts.events import Actor, AgentError, LogEvent, TurnEnded
from contracts.failures import ORIGINS, ErrorCode
from contracts.vocabulary import ActorKind, TurnStatus

TURN_COMPLETED = "turn.completed"
END_SQL = "UPDATE turns_turn SET status = %s, reason = %s, ended_at = %s WHERE id = %s AND status = 'running'"


def agent_actor(agent: str) -> Actor:
    return Actor(kind=ActorKind.AGENT, id=agent)


def error_event(code: ErrorCode, diagnosis: str = "", turn_id: UUID | None = None, **facts: str) -> AgentError:
    """Code, origin and diagnosis of one and the same failure."""
    return AgentError(origin=ORIGINS[code], code=code, diagnosis=diagnosis, turn_id=turn_id, facts=facts)


def end_turn(
    facts: InstanceFacts, status: TurnStatus, reason: ErrorCode | None, by: Actor | None = None
) -> LogEvent | None:
    """`running → status` of the locked instance's turn; None when it had ended already."""
    if facts.turn_id is None:
        return None
    if not statements.changed(END_SQL, [status, reason, now(), facts.turn_id]):
        return None
    agents.save(facts, turn_id=None)
    if status is TurnStatus.COMPLETED:
        told = {"session_id": str(facts.session_id), "agent": facts.agent, "turn_id": str(facts.turn_id)}
        outbox.put(TURN_COMPLETED, told)
    payload = TurnEnded(turn_id=facts.turn_id, status=status, reason=reason)
    return agent_sessions.append(facts.session_id, by or agent_actor(facts.agent), payload)
