"""To whom may an agent offer the work? Read from the roster (ADR 0038)."""

from contracts.agents import card_of, lead_of, may_receive_handoff


def refuse_target(from_agent: str, to_agent: str) -> str | None:
    """A sentence for the model when the target is wrong, None when it is right."""
    giver = card_of(from_agent)
    if giver is None:
        return f"No agent is called {from_agent}."
    wrong = refuse_choice(to_agent)
    if wrong is not None:
        return wrong
    if to_agent not in giver.hands_to:
        return f"{giver.title_en} may hand over to: {', '.join(giver.hands_to) or 'nobody'}."
    return None


def refuse_choice(to_agent: str) -> str | None:
    """The same for a person, who may choose any agent that takes handoffs."""
    taker = card_of(to_agent)
    if taker is None:
        return f"No agent is called {to_agent}."
    if taker.area is not None and not taker.is_lead:
        lead = lead_of(taker.area).slug
        return f"{taker.title_en} belongs to the area {taker.area}: offer the handoff to its lead, {lead}."
    if not may_receive_handoff(taker):
        return f"{taker.title_en} does not take handoffs."
    return None
