"""A model call through the gateway, streamed or as one result."""

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field, JsonValue

from contracts.base import Message, Slug
from contracts.failures import ErrorCode
from contracts.limits import MAX_DIAGNOSIS_CHARS
from contracts.money import Bill
from contracts.problem import ProblemCode
from contracts.routes.instances import Fence
from contracts.routes.route import Route
from contracts.vocabulary import FinishReason, MessageRole


class ModelToolCall(Message):
    """`arguments` is the JSON text as the model wrote it, valid or not."""

    id: str
    name: str
    arguments: str


class ModelMessage(Message):
    role: MessageRole
    content: str = ""
    tool_calls: tuple[ModelToolCall, ...] = ()
    tool_call_id: str | None = None


class ToolSpec(Message):
    """`parameters` is a JSON schema."""

    name: Slug
    description: str
    parameters: dict[str, JsonValue]


class ModelCall(Fence):
    """Keyed by (instance, step, call). `is_for_people` streams it to the session's page too."""

    turn_id: UUID
    step: Annotated[int, Field(ge=1)]
    call: Annotated[int, Field(ge=0)] = 0
    iteration: Annotated[int, Field(ge=0)] = 0
    messages: Annotated[tuple[ModelMessage, ...], Field(min_length=1)]
    tools: tuple[ToolSpec, ...] = ()
    max_output_tokens: Annotated[int, Field(ge=1)]
    temperature: float | None = None
    is_for_people: bool = True


class Delta(Message):
    """`offset` counts the characters of this attempt's text before `text`."""

    type: Literal["delta"] = "delta"
    attempt: int
    offset: int
    text: str


class Notice(Message):
    """The gateway tries the provider again at `retry_at`."""

    type: Literal["notice"] = "notice"
    attempt: int
    code: ErrorCode
    retry_at: datetime


class ModelError(Message):
    """`diagnosis` is the provider's own text, secrets removed; `facts` are named numbers for the sentence."""

    code: ErrorCode
    diagnosis: Annotated[str, Field(max_length=MAX_DIAGNOSIS_CHARS)] = ""
    facts: dict[str, str] = {}


class Final(Message):
    """Exactly one, last; the same key gets the same frame again. On failure `message` holds what came before it."""

    type: Literal["final"] = "final"
    attempt: int
    message: ModelMessage
    finish: FinishReason
    bill: Bill | None
    error: ModelError | None = None
    is_repeated: bool = False
    """True when an earlier attempt of this call was lost in flight and the call was bought again."""


class Frame(Message):
    """What one `data:` line of the stream holds: the one route that answers with server-sent events."""

    frame: Annotated[Delta | Notice | Final, Field(discriminator="type")]


_ERRORS = (ProblemCode.NOT_FOUND, ProblemCode.FENCED, ProblemCode.STOPPED)
STREAM = Route("stream_turn", "POST", "/instances/{instance_id}/turns:stream", ModelCall, Frame, _ERRORS)
COMPLETE = Route("complete_turn", "POST", "/instances/{instance_id}/turns:complete", ModelCall, Final, _ERRORS)
ROUTES = (STREAM, COMPLETE)
