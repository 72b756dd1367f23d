"""The Architect, wired: behaviour, prompt and tools."""

from pathlib import Path

from contracts.agents import ROSTER
from contracts.routes.instances import AgentContext
from engine.agents.architect import behaviour, context
from engine.domain.agent import Agent
from engine.domain.prompts import in_place
from engine.domain.tool_names import registered
from engine.tools import (
    ask_structured_questions,
    assign_story_modules,
    choose_project_image,
    create_c4_diagram,
    create_module_map,
    emit_insight,
    list_backlog,
    list_business_rules,
    offer_handoff,
    propose_adr,
    read_architecture,
)

CARD = ROSTER["architect"]
PROMPT = Path(__file__).with_name("prompt.md").read_text(encoding="utf-8")


def system(place: AgentContext) -> str:
    """The prompt for one project."""
    return in_place(PROMPT, place)


ARCHITECT: Agent[behaviour.State] = Agent(
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
            (read_architecture.NAME, read_architecture.TOOL),
            (create_module_map.NAME, create_module_map.TOOL),
            (assign_story_modules.NAME, assign_story_modules.TOOL),
            (choose_project_image.NAME, choose_project_image.TOOL),
            (create_c4_diagram.NAME, create_c4_diagram.TOOL),
            (propose_adr.NAME, propose_adr.TOOL),
            (emit_insight.NAME, emit_insight.TOOL),
            (ask_structured_questions.NAME, ask_structured_questions.TOOL),
            (offer_handoff.NAME, offer_handoff.tool_for(CARD)),
        )
    ),
)
