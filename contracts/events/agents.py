"""What agents do, say and fail at."""

from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from contracts.base import Message, Slug
from contracts.failures import ErrorCode, FailureOrigin
from contracts.limits import MAX_DIAGNOSIS_CHARS
from contracts.money import Bill


class AgentActivated(Message):
    """The agent with the highest seq of these is the session's active agent (RN-119)."""

    type: Literal["agent.activated"] = "agent.activated"
    agent: Slug
    handoff_id: UUID | None = None


class AgentActivationOwed(Message):
    """A handoff was accepted for an agent that is not available yet: it happens when that agent arrives."""

    type: Literal["agent.activation_owed"] = "agent.activation_owed"
    agent: Slug
    handoff_id: UUID


class AgentResponse(Message):
    """Never empty (RN-059). `is_partial` marks the text that was kept when a stream was cut."""

    type: Literal["agent.response"] = "agent.response"
    turn_id: UUID
    iteration: Annotated[int, Field(ge=0)]
    content: Annotated[str, Field(min_length=1)]
    bill: Bill | None = None
    is_partial: bool = False


class AgentError(Message):
    """A failure a person can see. `diagnosis` is the raw text of the same error that decided `code` and `origin`."""

    type: Literal["agent.error"] = "agent.error"
    origin: FailureOrigin
    code: ErrorCode
    diagnosis: Annotated[str, Field(max_length=MAX_DIAGNOSIS_CHARS)] = ""
    turn_id: UUID | None = None
    tool: str | None = None
    will_retry: bool = False
    max_iterations: int | None = None
    facts: dict[str, str] = {}
    """Named facts for the sentence people read, such as `node`, `needed_micros`, `left_micros`, `saved`."""


class ToolCalled(Message):
    """`arguments` is the model's JSON text, verbatim; `call_id` is unique in the session."""

    type: Literal["tool.call"] = "tool.call"
    turn_id: UUID
    iteration: Annotated[int, Field(ge=0)]
    call_id: str
    tool: str
    arguments: str


class ToolFinished(Message):
    """`text` is exactly what the model reads as the call's answer."""

    type: Literal["tool.result"] = "tool.result"
    turn_id: UUID
    call_id: str
    tool: str
    ok: bool
    text: str


class CeilingReached(Message):
    """The turn made as many model calls as its agent may (RN-085, RN-166); it ends with what was done."""

    type: Literal["toolloop.limit_reached"] = "toolloop.limit_reached"
    turn_id: UUID
    iteration: Annotated[int, Field(ge=0)]
    max_iterations: Annotated[int, Field(ge=1)]


class ContextCompacted(Message):
    """Everything up to `through_seq` is represented by `summary` from here on."""

    type: Literal["context.compacted"] = "context.compacted"
    turn_id: UUID
    through_seq: int
    summary: str
    bytes_before: int
    bytes_after: int


class ModelNudged(Message):
    """The harness asked the model to mend an answer (empty, stuck, failed tool); the text goes into the context."""

    type: Literal["model.nudged"] = "model.nudged"
    turn_id: UUID
    reason: ErrorCode
    text: str


class ModelFellBack(Message):
    """The bound model does not exist any more, and the call went to the one that was declared in its place (F35)."""

    type: Literal["model.fell_back"] = "model.fell_back"
    turn_id: UUID
    agent: Slug
    provider: Slug
    model: str
    fallback_provider: Slug
    fallback_model: str


class ModelCallRepeated(Message):
    """A model call that was in flight when a process died was bought again once (law 2)."""

    type: Literal["model.call_repeated"] = "model.call_repeated"
    turn_id: UUID
    attempt: int
