"""Who answers a person's message (RN-119, RN-123)."""

from dataclasses import dataclass

from contracts.agents import ROSTER, StartedBy
from contracts.vocabulary import SessionKind

CREATIVE = "creative"
ASSISTANT = "assistant"


@dataclass(frozen=True)
class Addressee:
    """`activates`: the message itself makes this agent the active one."""

    agent: str
    activates: bool = False


@dataclass(frozen=True)
class Nobody:
    """The agent that was asked for cannot be spoken to here."""

    agent: str


def addressee(kind: SessionKind, active: str | None, asked_for: str | None) -> Addressee | Nobody:
    """The active agent answers; without one, the Creative in a creative session and the assistant elsewhere."""
    if asked_for is not None:
        is_assistant = asked_for in ROSTER and ROSTER[asked_for].started_by is StartedBy.NO_AGENT_ACTIVE
        return Addressee(asked_for) if is_assistant or asked_for == active else Nobody(asked_for)
    if active is not None:
        return Addressee(active)
    if kind is SessionKind.CREATIVE:
        return Addressee(CREATIVE, activates=True)
    return Addressee(ASSISTANT)
