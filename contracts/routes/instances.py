"""An agent instance's life: claimed, stepped, released."""

from typing import Annotated
from uuid import UUID

from pydantic import Field

from contracts.base import Message, Seq, Slug
from contracts.events import AgentWritten, LogEvent
from contracts.failures import ErrorCode
from contracts.limits import MAX_EVENTS_PAGE
from contracts.problem import ProblemCode
from contracts.routes.route import Route
from contracts.vocabulary import Language, SessionKind, TurnStatus


class Nothing(Message):
    """An empty body."""


class Fence(Message):
    """Proof of still being the instance's one worker: a stale epoch is refused with 409 `fenced`."""

    epoch: Annotated[int, Field(ge=1)]


class Claim(Message):
    """`worker` is the boot id of a worker process; `claim_id` makes the claim repeatable."""

    worker: UUID
    claim_id: UUID


class AgentContext(Message):
    """What an agent is told of the place it works in. `context_tokens` is the bound model's window."""

    instance_id: UUID
    session_id: UUID
    project_id: UUID
    agent: Slug
    project_name: str
    language: Language
    session_kind: SessionKind
    context_tokens: int
    max_body_bytes: int


class RunningTurn(Message):
    turn_id: UUID
    number: int


class Lease(Message):
    """`state` is the JSON text of the last step, null before the first; `inbox` is what waits beyond the cursor."""

    epoch: int
    step: int
    lease_ms: int
    state: str | None
    turn: RunningTurn | None
    inbox: tuple[LogEvent, ...]
    context: AgentContext


class ClaimAnswer(Message):
    """`lease` is null when there is nothing to do here: leased elsewhere, held, or nothing wanted."""

    lease: Lease | None


class Take(Message):
    """Begins a turn that answers these inbox events; refused with 409 `inbox_changed` when one was cancelled."""

    seqs: Annotated[tuple[Seq, ...], Field(min_length=1)]


class TurnEnding(Message):
    """`reason` is null exactly for `completed`."""

    status: TurnStatus
    reason: ErrorCode | None = None


class Step(Fence):
    """One transaction: events, state and the turn's begin or end. Idempotent by (instance, step)."""

    step: Annotated[int, Field(ge=1)]
    turn_id: UUID
    take: Take | None = None
    state: str
    events: tuple[AgentWritten, ...] = ()
    end: TurnEnding | None = None


class StepAnswer(Message):
    """`events` are all that this step wrote, the api's own included; `inbox` is filled when the turn ended."""

    events: tuple[LogEvent, ...]
    inbox: tuple[LogEvent, ...] = ()


class ReleaseAnswer(Message):
    """`released` is false when something new is wanted: the worker goes on with `inbox`."""

    released: bool
    inbox: tuple[LogEvent, ...] = ()


class HistoryAnswer(Message):
    """A page of the session's log in seq order."""

    events: tuple[LogEvent, ...]
    has_more: bool


class HistoryQuery(Message):
    """Travels as the query string `?after=&limit=`."""

    after: Annotated[int, Field(ge=0)] = 0
    limit: Annotated[int, Field(ge=1, le=MAX_EVENTS_PAGE)] = MAX_EVENTS_PAGE


CLAIM = Route("claim", "POST", "/instances/{instance_id}/claim", Claim, ClaimAnswer, (ProblemCode.NOT_FOUND,))
STEP = Route(
    "step",
    "POST",
    "/instances/{instance_id}/steps",
    Step,
    StepAnswer,
    (
        ProblemCode.NOT_FOUND,
        ProblemCode.FENCED,
        ProblemCode.STOPPED,
        ProblemCode.INBOX_CHANGED,
        ProblemCode.IDEMPOTENCY_CONFLICT,
    ),
)
RELEASE = Route(
    "release",
    "POST",
    "/instances/{instance_id}/release",
    Fence,
    ReleaseAnswer,
    (ProblemCode.NOT_FOUND, ProblemCode.FENCED),
)
HISTORY = Route(
    "history", "GET", "/instances/{instance_id}/history", HistoryQuery, HistoryAnswer, (ProblemCode.NOT_FOUND,)
)
ROUTES = (CLAIM, STEP, RELEASE, HISTORY)
