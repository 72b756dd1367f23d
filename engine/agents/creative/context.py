"""How the Creative's model is told what its turns take in."""

from collections.abc import Sequence

from contracts.events import ChatMessage, HandoffRejected, LogEvent, ReadinessConfirmed, TurnContinued

READY = (
    "[harness] The person has said that the idea is ready. Write the consolidation now: what the product is and for "
    "whom, the problem, the business rules in your own order, what is out of scope, what is still open. If a rule that "
    "was agreed on is not recorded yet, record it with emit_artifact first. Then write the consolidation as plain "
    "text, and nothing else: it becomes the summary of the product brief."
)
CONTINUED = "[harness] The person asks you to go on from where you were interrupted."
REJECTED = "[harness] {to_agent} gave the product brief back, with this reason: {reason}\nTake it up with the person."
OTHER = "[harness] An event of type {type} concerns you."


def say(event: LogEvent, log: Sequence[LogEvent]) -> str:
    """A person's message with its seq, so that a rule can name where it came from (RN-061)."""
    del log
    match event.payload:
        case ChatMessage(text=text):
            return f"[{event.seq}] {text}"
        case ReadinessConfirmed():
            return READY
        case TurnContinued():
            return CONTINUED
        case HandoffRejected(to_agent=to_agent, reason=reason):
            return REJECTED.format(to_agent=to_agent, reason=reason)
        case payload:
            return OTHER.format(type=payload.type)
