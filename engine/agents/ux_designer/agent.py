"""The UX Designer, wired: behaviour, prompt and tools."""

from pathlib import Path

from contracts.agents import ROSTER
from contracts.routes.instances import AgentContext
from engine.agents.ux_designer import behaviour, context
from engine.domain.agent import Agent
from engine.domain.prompts import in_place
from engine.domain.tool_names import registered
from engine.domain.turn import TurnState
from engine.tools import ask_structured_questions, list_backlog, list_business_rules, propose_prototype

PROMPT = Path(__file__).with_name("prompt.md").read_text(encoding="utf-8")


def system(place: AgentContext) -> str:
    """The prompt for one project."""
    return in_place(PROMPT, place)


UX_DESIGNER: Agent[TurnState] = Agent(
    card=ROSTER["ux_designer"],
    state=TurnState,
    start=behaviour.start,
    handle=behaviour.handle,
    say=context.say,
    system=system,
    tools=registered(
        (
            (list_business_rules.NAME, list_business_rules.TOOL),
            (list_backlog.NAME, list_backlog.TOOL),
            (propose_prototype.NAME, propose_prototype.TOOL),
            (ask_structured_questions.NAME, ask_structured_questions.TOOL),
        )
    ),
)
