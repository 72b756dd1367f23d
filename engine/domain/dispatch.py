"""What the outcomes of an answer's tool calls lead to (RN-061, RN-163)."""

from contracts.events import AgentError, AgentResponse, AgentWritten, CeilingReached, ModelNudged, ToolFinished
from contracts.failures import ORIGINS, ErrorCode
from contracts.routes.instances import TurnEnding
from contracts.routes.model import ModelToolCall
from contracts.vocabulary import TurnStatus
from engine.domain import stuck, turn
from engine.domain.behaviour import Step, ToolRan
from engine.domain.effects import RunTool
from engine.domain.failures import Failure, diagnosis
from engine.domain.tools import ToolOutcome
from engine.domain.turn import FailedTool, TurnRules, TurnState, turn_of, with_

STUCK_NUDGE = (
    "[harness] You repeat the same call with the same result. Do something else: change the arguments, use another "
    "tool, or tell the person what keeps you from going on."
)


def tool_ran(rules: TurnRules, state: TurnState, message: ToolRan) -> Step:
    """Every call gets its `tool.result`; what follows is decided when all calls of the answer were dispatched."""
    call, *rest = state.pending
    events = _written(state, call, message.outcome)
    state = _noted(rules, state, call, message.outcome)
    if rest:
        effect = RunTool(call=rest[0], offered=rules.tools, is_cut=state.is_cut)
        return Step(state, events, effect=effect)
    return _dispatched(rules, state, events)


def _written(state: TurnState, call: ModelToolCall, outcome: ToolOutcome) -> tuple[AgentWritten, ...]:
    result = ToolFinished(turn_id=turn_of(state), call_id=call.id, tool=call.name, ok=outcome.ok, text=outcome.text)
    return (outcome.question, result) if outcome.question else (result,)


def _noted(rules: TurnRules, state: TurnState, call: ModelToolCall, outcome: ToolOutcome) -> TurnState:
    failed = state.failed
    if outcome.code is not None:
        failed = (*failed, FailedTool(tool=call.name, code=outcome.code, text=outcome.text))
    return with_(
        state,
        pending=state.pending[1:],
        failed=failed,
        has_failed=state.has_failed or not outcome.ok,
        has_ended=state.has_ended or (outcome.ok and call.name in rules.ends_turn),
        moves=stuck.remember(state.moves, stuck.did(call.name, call.arguments, outcome.text)),
    )


def _dispatched(rules: TurnRules, state: TurnState, events: tuple[AgentWritten, ...]) -> Step:
    """A question to people ends the turn at once, unless another call failed and can still be mended."""
    may_go_on = rules.may_go_on(state)
    is_stuck = stuck.is_stuck(state.moves)
    will_retry = may_go_on and not (is_stuck and state.is_warned)
    if state.has_ended and not (state.failed and will_retry):
        return turn.complete(state, *events, *_errors(state, will_retry=False), *_closing(rules, state))
    events += _errors(state, will_retry=will_retry)
    if not may_go_on:
        return _at_the_ceiling(rules, state, events)
    if is_stuck and state.is_warned:
        failure = Failure(ErrorCode.STUCK, "the same tool calls with the same results, again after a nudge")
        return turn.fail(state, failure, *events)
    if is_stuck:
        nudge = ModelNudged(turn_id=turn_of(state), reason=ErrorCode.STUCK, text=STUCK_NUDGE)
        return turn.call_again(rules, with_(state, is_warned=True), *events, nudge)
    return turn.call_again(rules, state, *events)


def _errors(state: TurnState, *, will_retry: bool) -> tuple[AgentError, ...]:
    return tuple(
        AgentError(
            origin=ORIGINS[failed.code],
            code=failed.code,
            diagnosis=diagnosis(failed.text),
            turn_id=state.turn_id,
            tool=failed.tool,
            will_retry=will_retry,
        )
        for failed in state.failed
    )


def _at_the_ceiling(rules: TurnRules, state: TurnState, events: tuple[AgentWritten, ...]) -> Step:
    """Never in silence (RN-163, RN-166): with the ceiling that was reached."""
    ceiling = rules.card.ceiling
    if not rules.is_ceiling_an_error:
        told = CeilingReached(turn_id=turn_of(state), iteration=state.iteration, max_iterations=ceiling)
        ending = TurnEnding(status=TurnStatus.FAILED, reason=ErrorCode.ITERATION_LIMIT)
        return Step(state, (*events, told), end=ending)
    failure = Failure(ErrorCode.ITERATION_LIMIT, f"{ceiling} model calls in one turn")
    return turn.fail(state, failure, *events, max_iterations=ceiling)


def _closing(rules: TurnRules, state: TurnState) -> tuple[AgentResponse, ...]:
    """The last word of a turn that had failures is not an error that was mended already (RN-061)."""
    is_said = state.answer_text.strip() and not state.failed
    if not state.has_failed or is_said or not rules.closing:
        return ()
    content = rules.closing[state.language]
    return (AgentResponse(turn_id=turn_of(state), iteration=state.iteration + 1, content=content),)
