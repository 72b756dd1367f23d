"""What a call does when its key has been tried before."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

MAX_LOSSES = 2


class CallStatus(StrEnum):
    OPEN = "open"
    SETTLED = "settled"
    LOST = "lost"
    RELEASED = "released"


@dataclass(frozen=True)
class Tried:
    """One earlier attempt; `kept` is its final frame while that is remembered."""

    attempt: int
    status: CallStatus
    kept: str | None


@dataclass(frozen=True)
class Kept:
    """The answer was bought already: it is given again and nothing is asked."""

    frame: str


@dataclass(frozen=True)
class Begin:
    """Open this attempt; `is_repeated` when an earlier one was lost in flight."""

    attempt: int
    is_repeated: bool


@dataclass(frozen=True)
class Interrupted:
    """Lost twice: buying a third time helps nobody."""

    losses: int


@dataclass(frozen=True)
class Passed:
    """The step that used the answer was saved long ago; only a stale worker asks for it."""


def decide(tried: Sequence[Tried]) -> Kept | Begin | Interrupted | Passed:
    """`tried` are all attempts of the key in order, none of them open any more."""
    losses = sum(1 for attempt in tried if attempt.status is CallStatus.LOST)
    if tried and tried[-1].kept is not None:
        return Kept(tried[-1].kept)
    if tried and tried[-1].status is CallStatus.SETTLED:
        return Passed()
    if losses >= MAX_LOSSES:
        return Interrupted(losses)
    return Begin(tried[-1].attempt + 1 if tried else 1, is_repeated=losses > 0)
