"""Make an agent the active one of a session (ADR 0008: the Creative needs nothing, others an accepted handoff)."""

from uuid import UUID

from django.db import transaction

from api.rooms.agent_sessions import services as agent_sessions
from api.rooms.agent_sessions.services import SessionFacts
from api.rooms.agent_sessions.services.sessions import user_actor
from api.rooms.agents import services as agents
from api.rooms.kernel.refusals import Refusal
from api.rooms.turns.domain.activation import Allowed, may_start
from api.rooms.turns.selectors import active_agent
from contracts.events import AgentActivated, LogEvent


def activate(session: SessionFacts, user_id: UUID, agent: str, handoff_id: UUID | None = None) -> LogEvent:
    """Under the session's lock; the rule was checked by the caller."""
    agents.ensure(session.id, agent)
    return agent_sessions.append(session.id, user_actor(user_id), AgentActivated(agent=agent, handoff_id=handoff_id))


@transaction.atomic
def start_agent(
    session_id: UUID, user_id: UUID, agent: str, *, has_accepted_handoff: bool, handoff_id: UUID | None = None
) -> LogEvent | None:
    """None when the agent is active already (starting is idempotent)."""
    session = agent_sessions.lock(session_id)
    agent_sessions.refuse_unless_active(session)
    decision = may_start(agent, has_accepted_handoff=has_accepted_handoff)
    if not isinstance(decision, Allowed):
        raise Refusal(decision.code, decision.detail, {"agent": agent})
    if active_agent(session_id) == agent:
        return None
    return activate(session, user_id, agent, handoff_id)
