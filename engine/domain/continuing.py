"""What a turn answers, also when it goes on with one that was interrupted."""

from collections.abc import Sequence

from contracts.base import Message
from contracts.events import LogEvent, TurnContinued, TurnStarted


def answers(wanted: type[Message], taken: Sequence[LogEvent], history: Sequence[LogEvent]) -> bool:
    """Begun by an event of this type, or by a person's word to go on with a turn that was."""
    if any(isinstance(event.payload, wanted) for event in taken):
        return True
    continued = {event.payload.after_turn_id for event in taken if isinstance(event.payload, TurnContinued)}
    seqs = {
        seq
        for event in history
        if isinstance(event.payload, TurnStarted) and event.payload.turn_id in continued
        for seq in event.payload.taken
    }
    before = [event for event in history if event.seq in seqs]
    return bool(before) and answers(wanted, before, history)
