"""Which rule of the turn answers which message."""

from engine.domain import turn
from engine.domain.answers import answered
from engine.domain.behaviour import (
    Compacted,
    CompactionImpossible,
    ContextOverflowed,
    EffectFailed,
    ModelAnswered,
    Received,
    Step,
    ToolRan,
)
from engine.domain.dispatch import tool_ran
from engine.domain.overflow import compacted, impossible, overflowed
from engine.domain.turn import TurnRules, TurnState


def advance(rules: TurnRules, state: TurnState, message: Received) -> Step:
    """One step of a turn that was begun."""
    match message:
        case ModelAnswered():
            return answered(rules, state, message)
        case ToolRan():
            return tool_ran(rules, state, message)
        case ContextOverflowed():
            return overflowed(rules, state, message)
        case Compacted():
            return compacted(rules, state, message)
        case CompactionImpossible():
            return impossible(rules, state, message)
        case EffectFailed():
            return turn.fail(state, message.failure)
        case _:
            raise TypeError(f"a turn cannot receive {type(message).__name__}")
