"""`offer_handoff`: offer the work to the next agent; a person accepts or rejects."""

from typing import Any
from uuid import UUID

from pydantic import Field

from contracts.agents import ROSTER, AgentCard
from contracts.base import Message, Slug
from contracts.routes.effects import OFFER_HANDOFF
from contracts.routes.model import ToolSpec
from engine.domain.reading import read
from engine.domain.tools import Scope, Tool, ToolOutcome, succeeded

NAME = "offer_handoff"


class Offer(Message):
    to_agent: Slug
    artifact_event_id: UUID | None = Field(default=None, strict=False)


def spec_for(card: AgentCard) -> ToolSpec:
    """The agents that this one may hand over to are in the schema: nobody has to guess (D-52)."""
    receivers = "; ".join(f"{slug}: {ROSTER[slug].purpose_en}" for slug in card.hands_to)
    return ToolSpec(
        name=NAME,
        description=(
            "Offer your work to the next agent when it is done. A person decides whether it is taken up. "
            f"{receivers} Example: " + '{"to_agent": "' + card.hands_to[0] + '"}'
        ),
        parameters={
            "type": "object",
            "properties": {
                "to_agent": {"type": "string", "enum": list(card.hands_to)},
                "artifact_event_id": {"type": "string", "description": "The artifact it is about, if there is one."},
            },
            "required": ["to_agent"],
        },
    )


async def run(arguments: dict[str, Any], scope: Scope) -> ToolOutcome:
    """The target is validated by the api, which names the right ones."""
    asked = read(Offer, arguments)
    if isinstance(asked, ToolOutcome):
        return asked
    await scope.ask(OFFER_HANDOFF, to_agent=asked.to_agent, artifact_event_id=asked.artifact_event_id)
    return succeeded(f"Offered to {asked.to_agent}. A person will accept or reject it; you need not wait.")


def tool_for(card: AgentCard) -> Tool:
    """One for each agent, since each may hand over to others."""
    return Tool(spec_for(card), run)
