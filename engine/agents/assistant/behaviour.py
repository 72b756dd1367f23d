"""The assistant's decisions: one model call with the conversation so far, no tools."""

from datetime import datetime

from contracts.agents import ROSTER
from engine.domain import turn
from engine.domain.behaviour import Received, Step, TurnBegan
from engine.domain.loop import advance
from engine.domain.turn import TurnRules, TurnState, began

RULES = TurnRules(card=ROSTER["assistant"])


def start() -> TurnState:
    """Nothing has happened yet."""
    return TurnState()


def handle(state: TurnState, message: Received, now: datetime) -> Step:
    """Pure: the same state and message give the same step."""
    del now
    if isinstance(message, TurnBegan):
        return turn.call_again(RULES, began(state, message))
    return advance(RULES, state, message)
