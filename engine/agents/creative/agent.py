"""The Creative, wired: behaviour, prompt and tools."""

from pathlib import Path

from contracts.agents import ROSTER
from contracts.routes.instances import AgentContext
from engine.agents.creative import behaviour, context
from engine.domain.agent import Agent
from engine.domain.prompts import in_place
from engine.domain.turn import TurnState
from engine.tools import ask_structured_questions, emit_artifact

PROMPT = Path(__file__).with_name("prompt.md").read_text(encoding="utf-8")


def system(place: AgentContext) -> str:
    """The prompt for one project."""
    return in_place(PROMPT, place)


CREATIVE: Agent[TurnState] = Agent(
    card=ROSTER["creative"],
    state=TurnState,
    start=behaviour.start,
    handle=behaviour.handle,
    say=context.say,
    system=system,
    tools={emit_artifact.NAME: emit_artifact.TOOL, ask_structured_questions.NAME: ask_structured_questions.TOOL},
)
