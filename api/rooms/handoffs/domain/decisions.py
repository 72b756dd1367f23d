"""A person's decision against the handoff's state (compare-and-set)."""

from enum import StrEnum

from contracts.vocabulary import HandoffStatus


class Outcome(StrEnum):
    DECIDE = "decide"
    SAME_AGAIN = "same_again"
    OPPOSITE = "opposite"


_SAME: dict[HandoffStatus, frozenset[HandoffStatus]] = {
    HandoffStatus.ACCEPTED: frozenset({HandoffStatus.ACCEPTED, HandoffStatus.COMPLETED}),
    HandoffStatus.REJECTED: frozenset({HandoffStatus.REJECTED}),
}


def outcome(current: HandoffStatus, wanted: HandoffStatus, *, is_superseded: bool) -> Outcome:
    """`wanted` is accepted or rejected. An offer that a newer one replaced was decided by nobody's click."""
    if current is HandoffStatus.OFFERED:
        return Outcome.DECIDE
    if current in _SAME[wanted] and not is_superseded:
        return Outcome.SAME_AGAIN
    return Outcome.OPPOSITE
