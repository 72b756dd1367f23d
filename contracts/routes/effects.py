"""Effects of an agent that the api performs and that are keyed: repeating one answers what the first did."""

from typing import Annotated
from uuid import UUID

from pydantic import Field

from contracts.artifacts import Quoted, ToolEmitted
from contracts.base import Message, Slug
from contracts.codes import RuleCode
from contracts.events import LogEvent
from contracts.limits import MAX_ARTIFACT_TEXT_CHARS, MAX_QUOTES
from contracts.problem import ProblemCode
from contracts.routes.instances import Fence
from contracts.routes.route import Route


class Effect(Fence):
    """Keyed by (instance, step, name of the route)."""

    turn_id: UUID
    step: Annotated[int, Field(ge=1)]


class EmitArtifact(Effect):
    """A business rule may say which words it rests on; a message that is not quoted counts whole. With `supersedes` it
    is a new wording of the rule with that code."""

    artifact: ToolEmitted
    quoted: Annotated[tuple[Quoted, ...], Field(max_length=MAX_QUOTES)] = ()
    supersedes: RuleCode | None = None


class EmitBrief(Effect):
    """Accepted only in a turn that a readiness click began and in a session with at least one business rule."""

    summary: Annotated[str, Field(min_length=1, max_length=MAX_ARTIFACT_TEXT_CHARS)]


class OfferHandoff(Effect):
    to_agent: Slug
    artifact_event_id: UUID | None = None


class EventWritten(Message):
    event: LogEvent


class HandoffAnswer(Message):
    handoff_id: UUID
    event: LogEvent


_COMMON = (ProblemCode.NOT_FOUND, ProblemCode.FENCED, ProblemCode.STOPPED, ProblemCode.IDEMPOTENCY_CONFLICT)
EMIT_ARTIFACT = Route(
    "emit_artifact",
    "POST",
    "/instances/{instance_id}/artifacts",
    EmitArtifact,
    EventWritten,
    (*_COMMON, ProblemCode.DUPLICATE_RULE, ProblemCode.INVALID_ARTIFACT, ProblemCode.INVALID_BACKLOG),
)
EMIT_BRIEF = Route(
    "emit_brief",
    "POST",
    "/instances/{instance_id}/brief",
    EmitBrief,
    EventWritten,
    (*_COMMON, ProblemCode.NO_BUSINESS_RULE, ProblemCode.INVALID_ARTIFACT),
)
OFFER_HANDOFF = Route(
    "offer_handoff",
    "POST",
    "/instances/{instance_id}/handoffs",
    OfferHandoff,
    HandoffAnswer,
    (*_COMMON, ProblemCode.INVALID_HANDOFF),
)
ROUTES = (EMIT_ARTIFACT, EMIT_BRIEF, OFFER_HANDOFF)
