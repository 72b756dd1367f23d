"""How the assistant's model is told what its turns take in."""

from collections.abc import Sequence

from contracts.events import ChatMessage, LogEvent, TurnContinued

CONTINUED = "[harness] The person asks you to go on from where you were interrupted."
OTHER = "[harness] An event of type {type} concerns you."


def say(event: LogEvent, log: Sequence[LogEvent]) -> str:
    """A person's message as it was written: this agent refers to nothing by number."""
    del log
    match event.payload:
        case ChatMessage(text=text):
            return text
        case TurnContinued():
            return CONTINUED
        case payload:
            return OTHER.format(type=payload.type)
