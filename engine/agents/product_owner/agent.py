"""The Product Owner, wired: behaviour, prompt and tools."""

from pathlib import Path

from contracts.agents import ROSTER
from contracts.routes.instances import AgentContext
from engine.agents.product_owner import behaviour, context
from engine.domain.agent import Agent
from engine.domain.prompts import in_place
from engine.domain.tool_names import registered
from engine.tools import (
    ask_structured_questions,
    create_epic,
    create_feature,
    create_story,
    create_task,
    edit_story,
    list_backlog,
    list_business_rules,
    offer_handoff,
)

CARD = ROSTER["product_owner"]
PROMPT = Path(__file__).with_name("prompt.md").read_text(encoding="utf-8")


def system(place: AgentContext) -> str:
    """The prompt for one project."""
    return in_place(PROMPT, place)


PRODUCT_OWNER: Agent[behaviour.State] = Agent(
    card=CARD,
    state=behaviour.State,
    start=behaviour.start,
    handle=behaviour.handle,
    say=context.say,
    system=system,
    tools=registered(
        (
            (list_business_rules.NAME, list_business_rules.TOOL),
            (list_backlog.NAME, list_backlog.TOOL),
            (create_epic.NAME, create_epic.TOOL),
            (create_feature.NAME, create_feature.TOOL),
            (create_story.NAME, create_story.TOOL),
            (edit_story.NAME, edit_story.TOOL),
            (create_task.NAME, create_task.TOOL),
            (ask_structured_questions.NAME, ask_structured_questions.TOOL),
            (offer_handoff.NAME, offer_handoff.tool_for(CARD)),
        )
    ),
)
