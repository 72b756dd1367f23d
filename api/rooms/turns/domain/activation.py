"""May this agent be started here? Read from the roster (ADR 0008)."""

from dataclasses import dataclass

from contracts.agents import StartedBy, card_of
from contracts.problem import ProblemCode


@dataclass(frozen=True)
class Allowed:
    """The agent may become the active one."""


@dataclass(frozen=True)
class Denied:
    code: ProblemCode
    detail: str


def may_start(agent: str, *, has_accepted_handoff: bool) -> Allowed | Denied:
    """By command of a person: the Creative freely, others by an accepted handoff addressed to them."""
    card = card_of(agent)
    if card is None:
        return Denied(ProblemCode.NOT_FOUND, f"No agent is called {agent}.")
    if card.started_by is StartedBy.SYSTEM:
        return Denied(ProblemCode.FORBIDDEN, f"{card.title_en} is started by the system, never by a person.")
    if card.started_by is StartedBy.NO_AGENT_ACTIVE:
        return Denied(ProblemCode.FORBIDDEN, f"{card.title_en} answers by itself when no agent is active.")
    if card.started_by is StartedBy.HANDOFF and not has_accepted_handoff:
        return Denied(
            ProblemCode.HANDOFF_REQUIRED, f"{card.title_en} starts with an accepted handoff; there is none here."
        )
    if not card.is_available:
        return Denied(ProblemCode.AGENT_UNAVAILABLE, f"{card.title_en} has not arrived yet; its activation is owed.")
    return Allowed()
