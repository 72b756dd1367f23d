"""What waits for an agent, and what one turn may take of it."""

from collections.abc import Iterable, Sequence

from contracts.events import LogEvent


def waiting(addressed: Iterable[LogEvent], cancelled: frozenset[int]) -> tuple[LogEvent, ...]:
    """The inbox beyond the cursor without the messages that were taken back."""
    return tuple(event for event in addressed if event.seq not in cancelled)


def may_take(inbox: Sequence[LogEvent], seqs: Sequence[int]) -> bool:
    """A turn takes from the front, in order and without gaps, so that nothing is answered out of turn."""
    return list(seqs) == [event.seq for event in inbox[: len(seqs)]]
