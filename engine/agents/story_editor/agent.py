"""The Story Editor, wired: behaviour, prompt and tools."""

from pathlib import Path

from contracts.agents import ROSTER
from contracts.routes.instances import AgentContext
from engine.agents.story_editor import behaviour, context
from engine.domain.agent import Agent
from engine.domain.prompts import in_place
from engine.domain.tool_names import registered
from engine.domain.turn import TurnState
from engine.tools import ask_structured_questions, find_story, get_work_items, refine_story_tasks, update_work_items

PROMPT = Path(__file__).with_name("prompt.md").read_text(encoding="utf-8")


def system(place: AgentContext) -> str:
    """The prompt for one project."""
    return in_place(PROMPT, place)


STORY_EDITOR: Agent[TurnState] = Agent(
    card=ROSTER["story_editor"],
    state=TurnState,
    start=behaviour.start,
    handle=behaviour.handle,
    say=context.say,
    system=system,
    tools=registered(
        (
            (get_work_items.NAME, get_work_items.TOOL),
            (find_story.NAME, find_story.TOOL),
            (update_work_items.NAME, update_work_items.TOOL),
            (refine_story_tasks.NAME, refine_story_tasks.TOOL),
            (ask_structured_questions.NAME, ask_structured_questions.TOOL),
        )
    ),
)
