"""Reading a conversation: who is active, what runs, what waits."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from api.rooms.agent_sessions import selectors as log
from api.rooms.agents import selectors as inboxes
from api.rooms.agents.services import InstanceFacts
from api.rooms.budgets.domain.places import Place
from api.rooms.gateway import selectors as gateway
from api.rooms.projects import selectors as projects
from api.rooms.turns.domain.addressee import CREATIVE
from api.rooms.turns.domain.readiness import Readiness, readiness
from api.rooms.turns.models import Turn
from contracts.events import AgentActivated, LogEvent
from contracts.routes.instances import AgentContext
from contracts.vocabulary import TurnStatus


@dataclass(frozen=True)
class Running:
    """`model` is what the agent is bound to now."""

    agent: str
    turn_id: UUID
    started_at: datetime
    model: str
    is_rehearsal: bool


@dataclass(frozen=True)
class Conversation:
    active_agent: str | None
    running: tuple[Running, ...]
    queued: tuple[LogEvent, ...]
    is_held: bool
    can_continue: bool
    readiness: Readiness


def active_agent(session_id: UUID) -> str | None:
    """The agent of the last `agent.activated` (RN-119)."""
    last = log.last_of_type(session_id, "agent.activated")
    return last.payload.agent if last and isinstance(last.payload, AgentActivated) else None


def context_of(facts: InstanceFacts) -> AgentContext:
    project = projects.name_of(facts.project_id)
    model = gateway.model_facts_at(Place(facts.workspace_id, facts.project_id, facts.session_id), facts.agent)
    return AgentContext(
        instance_id=facts.id,
        session_id=facts.session_id,
        project_id=facts.project_id,
        agent=facts.agent,
        project_name=project.name,
        language=project.language,
        session_kind=facts.session.kind,
        context_tokens=model.context_tokens,
        max_body_bytes=model.max_body_bytes,
    )


def is_readiness_turn(turn_id: UUID) -> bool:
    return Turn.objects.filter(id=turn_id, is_readiness=True).exists()


def _running(session_id: UUID) -> tuple[Running, ...]:
    rows = Turn.objects.filter(session_id=session_id, status=TurnStatus.RUNNING).order_by("started_at")
    found = []
    for row in rows:
        model = gateway.model_facts(session_id, row.agent)
        found.append(Running(row.agent, row.id, row.started_at, model.model, model.is_rehearsal))
    return tuple(found)


def readiness_of(session_id: UUID) -> Readiness:
    """May "I'm ready to produce" be pressed, and if not, why not."""
    session = log.session(session_id)
    instances = {card.agent: card for card in inboxes.instances_of(session_id)}
    facts = log.last_of_types(
        session_id, ("readiness.confirmed", "artifact.product_brief", "artifact.business_rule", "chat.message")
    )
    creative = instances.get(CREATIVE)
    has_open_run = Turn.objects.filter(
        session_id=session_id, agent=CREATIVE, is_readiness=True, status=TurnStatus.RUNNING
    ).exists()
    return readiness(
        session.status,
        facts,
        is_creative_here=creative is not None,
        has_open_run=has_open_run,
        cursor_seq=creative.cursor_seq if creative else 0,
    )


def conversation(session_id: UUID) -> Conversation:
    instances = inboxes.instances_of(session_id)
    queued = [
        event
        for card in instances
        for event in inboxes.inbox(session_id, card.agent, card.cursor_seq)
        if event.payload.type == "chat.message"
    ]
    running = _running(session_id)
    last = Turn.objects.filter(session_id=session_id).order_by("-started_at").values_list("status", flat=True).first()
    is_held = any(card.is_held for card in instances)
    ended_badly = last in (TurnStatus.STOPPED, TurnStatus.INTERRUPTED, TurnStatus.FAILED)
    return Conversation(
        active_agent=active_agent(session_id),
        running=running,
        queued=tuple(sorted(queued, key=lambda event: event.seq)),
        is_held=is_held,
        can_continue=not running and (is_held or ended_badly),
        readiness=readiness_of(session_id),
    )
