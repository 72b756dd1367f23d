"""What a conversation that is too large leads to: at most two compactions, then a clear failure (F18)."""

from contracts.events import ContextCompacted
from contracts.failures import ErrorCode
from engine.domain import turn
from engine.domain.behaviour import Compacted, CompactionImpossible, ContextOverflowed, Step
from engine.domain.effects import Compact
from engine.domain.failures import Failure
from engine.domain.turn import TurnRules, TurnState, turn_of, with_

MAX_COMPACTIONS = 2


def refused(rules: TurnRules, state: TurnState, sent_bytes: int, failure: Failure) -> Step:
    """A provider refused a body: nothing as large is sent again, in this turn or in a later one."""
    known = state.window.refused_bytes or sent_bytes
    window = state.window.model_copy(update={"refused_bytes": min(known, sent_bytes)})
    return _compact(rules, with_(state, window=window), sent_bytes // 2, failure)


def overflowed(rules: TurnRules, state: TurnState, message: ContextOverflowed) -> Step:
    """The body would be too large, so it was not sent."""
    text = f"the conversation is {message.size_bytes} bytes and {message.limit_bytes} fit the model's window"
    return _compact(rules, state, message.target_bytes, Failure(ErrorCode.CONTEXT_TOO_LARGE, text))


def _compact(rules: TurnRules, state: TurnState, target_bytes: int, failure: Failure) -> Step:
    if state.window.compactions >= MAX_COMPACTIONS:
        return turn.fail(state, failure)
    return Step(state, effect=Compact(tools=rules.tools, window=state.window, target_bytes=target_bytes))


def compacted(rules: TurnRules, state: TurnState, message: Compacted) -> Step:
    """The same call again, with a body that is strictly smaller."""
    changes = {"part_bytes": message.part_bytes, "compactions": state.window.compactions + 1}
    event = ContextCompacted(
        turn_id=turn_of(state),
        through_seq=message.through_seq,
        summary=message.summary,
        bytes_before=message.bytes_before,
        bytes_after=message.bytes_after,
    )
    return turn.same_call(rules, with_(state, window=state.window.model_copy(update=changes)), event)


def impossible(rules: TurnRules, state: TurnState, message: CompactionImpossible) -> Step:
    """Tried once more only when it may still fit: the next overflow is the last word."""
    del message
    window = state.window.model_copy(update={"compactions": MAX_COMPACTIONS})
    return turn.same_call(rules, with_(state, window=window))
