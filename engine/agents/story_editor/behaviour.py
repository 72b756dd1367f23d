"""The Story Editor's decisions: a conversation with tools; its ceiling speaks (RN-166)."""

from datetime import datetime

from contracts.agents import ROSTER
from engine.domain import turn
from engine.domain.behaviour import Received, Step, TurnBegan
from engine.domain.loop import advance
from engine.domain.turn import TurnRules, TurnState, began

RULES = TurnRules(
    card=ROSTER["story_editor"],
    tools=("get_work_items", "find_story", "update_work_items", "refine_story_tasks", "ask_structured_questions"),
)


def start() -> TurnState:
    """Nothing has happened yet."""
    return TurnState()


def handle(state: TurnState, message: Received, now: datetime) -> Step:
    """Pure: the same state and message give the same step."""
    del now
    if isinstance(message, TurnBegan):
        return turn.call_again(RULES, began(state, message))
    return advance(RULES, state, message)
