"""Task Detailing, wired: behaviour and its one tool."""

from pathlib import Path

from contracts.agents import ROSTER
from contracts.routes.instances import AgentContext
from engine.agents.task_detailing import behaviour, context
from engine.domain.agent import Agent
from engine.domain.prompts import in_place
from engine.domain.tool_names import registered
from engine.domain.turn import TurnState
from engine.tools import refine_story_tasks

PROMPT = Path(__file__).with_name("prompt.md").read_text(encoding="utf-8")


def system(place: AgentContext) -> str:
    """The prompt for one project."""
    return in_place(PROMPT, place)


TASK_DETAILING: Agent[TurnState] = Agent(
    card=ROSTER["task_detailing"],
    state=TurnState,
    start=behaviour.start,
    handle=behaviour.handle,
    say=context.say,
    system=system,
    tools=registered(((refine_story_tasks.NAME, refine_story_tasks.TOOL),)),
)
