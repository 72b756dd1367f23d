"""The assistant, wired: behaviour and prompt."""

from pathlib import Path

from contracts.agents import ROSTER
from contracts.routes.instances import AgentContext
from engine.agents.assistant import behaviour, context
from engine.domain.agent import Agent
from engine.domain.prompts import in_place
from engine.domain.turn import TurnState

PROMPT = Path(__file__).with_name("prompt.md").read_text(encoding="utf-8")


def system(place: AgentContext) -> str:
    """The prompt for one project."""
    return in_place(PROMPT, place)


ASSISTANT: Agent[TurnState] = Agent(
    card=ROSTER["assistant"],
    state=TurnState,
    start=behaviour.start,
    handle=behaviour.handle,
    say=context.say,
    system=system,
)
