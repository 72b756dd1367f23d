"""Reading what is bound, what is configured, and what is being said right now."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from api.rooms.agent_sessions.services import home_of
from api.rooms.budgets.domain.places import Place
from api.rooms.gateway.domain.attempts import CallStatus
from api.rooms.gateway.domain.bindings import Level, Subject
from api.rooms.gateway.models import Binding, Call, Credential
from api.rooms.gateway.providers import PROVIDERS
from api.rooms.gateway.services import registry
from api.rooms.gateway.services.catalogue import DEFAULT_CONTEXT_TOKENS
from api.rooms.gateway.services.resolving import Resolved
from api.rooms.gateway.services.resolving import resolve as _resolve
from api.rooms.gateway.services.waits import Wait, wait_of

MAX_BODY_BYTES = 8 * 1024 * 1024


@dataclass(frozen=True)
class ModelFacts:
    """What an agent is told of its model; `provider` and `model` are empty when nothing is bound."""

    context_tokens: int
    max_body_bytes: int
    provider: str
    model: str
    is_rehearsal: bool


@dataclass(frozen=True)
class LiveCall:
    """An answer that is being written: `text` is all of it so far, from offset 0; `wait` is what its try waits for."""

    turn_id: UUID
    agent: str
    call: int
    attempt: int
    text: str
    wait: Wait | None


@dataclass(frozen=True)
class CredentialCard:
    """A stored key, without the key."""

    id: UUID
    provider: str
    base_url: str
    has_secret: bool
    created_at: datetime
    replaced_at: datetime | None


@dataclass(frozen=True)
class BindingCard:
    subject: Subject
    model_id: UUID
    provider: str
    model: str


def resolve(session_id: UUID, agent: str, *, needs_tools: bool = False) -> Resolved | None:
    """The model of this agent in this session and where that was decided; None when nothing is bound."""
    return _resolve(_place(session_id), agent, needs_tools=needs_tools)


def _place(session_id: UUID) -> Place:
    home = home_of(session_id)
    return Place(home.workspace_id, home.project_id, session_id)


def model_facts(session_id: UUID, agent: str) -> ModelFacts:
    return model_facts_at(_place(session_id), agent)


def model_facts_at(place: Place, agent: str) -> ModelFacts:
    """The same for whoever knows already where the session belongs."""
    found = _resolve(place, agent, needs_tools=False)
    if found is None:
        return ModelFacts(DEFAULT_CONTEXT_TOKENS, MAX_BODY_BYTES, "", "", is_rehearsal=False)
    is_rehearsal = PROVIDERS[found.provider].is_rehearsal
    return ModelFacts(found.context_tokens, MAX_BODY_BYTES, found.provider, found.model, is_rehearsal)


def live_texts(session_id: UUID) -> tuple[LiveCall, ...]:
    """For whoever joins: what is saved each second, or newer where this process owns the call."""
    rows = Call.objects.filter(session_id=session_id, status=CallStatus.OPEN, is_for_people=True, closed_at=None)
    return tuple(
        LiveCall(row.turn_id, row.agent, row.call, row.attempt, registry.text_of(row.id) or row.text, wait_of(row))
        for row in rows.order_by("opened_at")
    )


def credentials_of(workspace_id: UUID) -> tuple[CredentialCard, ...]:
    rows = Credential.objects.filter(workspace_id=workspace_id).order_by("provider", "base_url")
    return tuple(
        CredentialCard(row.id, row.provider, row.base_url, row.has_secret, row.created_at, row.replaced_at)
        for row in rows
    )


def bindings_of(workspace_id: UUID) -> tuple[BindingCard, ...]:
    rows = Binding.objects.filter(workspace_id=workspace_id).select_related("model").order_by("level", "name")
    return tuple(
        BindingCard(
            Subject(Level(row.level), row.subject_id, row.name), row.model_id, row.model.provider, row.model.name
        )
        for row in rows
    )
