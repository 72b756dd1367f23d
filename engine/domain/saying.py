"""How every agent's model is told what concerns all of them alike."""

from contracts.events import AnyEvent, ChatMessage, HandoffRejected, TurnContinued

REJECTED = "[harness] The person rejected your handoff to {to_agent}, with this reason: {reason}\nTake it up."
CONTINUED = "[harness] The person asks you to go on from where you were interrupted."
OTHER = "[harness] An event of type {type} concerns you."


def plainly(payload: AnyEvent) -> str:
    """A person's words as they are, and what came of handoffs and turns."""
    match payload:
        case ChatMessage(text=text):
            return text
        case HandoffRejected(to_agent=to_agent, reason=reason):
            return REJECTED.format(to_agent=to_agent, reason=reason)
        case TurnContinued():
            return CONTINUED
        case _:
            return OTHER.format(type=payload.type)
