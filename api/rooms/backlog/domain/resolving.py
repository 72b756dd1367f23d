"""When a title names one story: it is much like it, and no other comes near."""

from collections.abc import Sequence

from contracts.routes.detailing import Candidate

ENOUGH = 60
MARGIN = 20
WORTH_ASKING = 25
"""In percent."""


def chosen(likenesses: Sequence[int]) -> bool:
    """Whether the first, the likeliest, is meant: by the margin before the second."""
    if not likenesses or likenesses[0] < ENOUGH:
        return False
    return len(likenesses) == 1 or likenesses[0] - likenesses[1] >= MARGIN


def worth_asking(candidates: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """Those that somebody may have meant."""
    return tuple(each for each in candidates if each.likeness >= WORTH_ASKING)
