"""How one try of a call ended, and what that means for its meter, its frame and its row."""

from dataclasses import dataclass
from enum import StrEnum

from api.rooms.budgets.domain.metering import Outcome
from api.rooms.gateway.domain import usage
from api.rooms.gateway.domain.attempts import CallStatus
from contracts.failures import ErrorCode
from contracts.money import Usage
from contracts.routes.model import ModelError, ModelMessage
from contracts.vocabulary import FinishReason


class CutReason(StrEnum):
    """Why somebody else ended a stream; also the word in the row's mark."""

    STOPPED = "stopped"
    """A person pressed Stop."""
    EPOCH = "epoch"
    """The instance was claimed by another worker."""
    REPEATED = "repeated"
    """The same call was asked for again while this try was open."""
    GONE = "gone"
    """The consumer went away."""
    EXPIRED = "expired"
    """The hold ran out: its owner is dead or asleep."""


@dataclass(frozen=True)
class Ending:
    """The facts at the end of a try. `error` is null exactly when the answer is whole.

    `is_kept` says that the final frame answers whoever repeats the call.
    """

    message: ModelMessage
    finish: FinishReason
    usage: Usage
    status: CallStatus
    outcome: Outcome
    is_kept: bool
    error: ModelError | None = None
    wire_ids: tuple[str, ...] = ()
    upstream: str = ""
    latency_ms: int = 0
    first_token_ms: int | None = None


def status_of(*, was_sent: bool, cut: CutReason | None) -> CallStatus:
    """Released only when nothing was sent; lost when anybody but a person ended it before the answer was whole."""
    if not was_sent:
        return CallStatus.RELEASED
    return CallStatus.SETTLED if cut in (None, CutReason.STOPPED) else CallStatus.LOST


def usage_of(
    reported: Usage | None, body_bytes: int, received_bytes: int, *, is_whole: bool, is_rejected: bool, was_sent: bool
) -> Usage:
    """A refused request used nothing; a whole answer what was reported; everything else is estimated."""
    if is_rejected or not was_sent:
        return Usage()
    if is_whole:
        return usage.complete(reported, body_bytes, received_bytes)
    return usage.cut_short(reported, body_bytes, received_bytes)


def error_of_finish(finish: FinishReason, refusal: str) -> ModelError | None:
    """Ends that a provider calls an answer and that are none."""
    if finish is FinishReason.CONTENT_FILTER:
        return ModelError(code=ErrorCode.CONTENT_FILTERED, diagnosis=refusal)
    if refusal:
        return ModelError(code=ErrorCode.REFUSAL, diagnosis=refusal)
    return None
