"""What a model's answer leads to: tools to run, a text for people, a nudge, or a failure."""

from contracts.events import AgentError, AgentResponse, AgentWritten, ModelNudged, ToolCalled
from contracts.failures import ORIGINS, ErrorCode
from contracts.limits import MAX_TOOL_ARGUMENTS_BYTES
from contracts.routes.model import Final, ModelToolCall
from contracts.text import cut_bytes
from contracts.vocabulary import FinishReason
from engine.domain import turn
from engine.domain.behaviour import ModelAnswered, Step
from engine.domain.call_ids import made_unique
from engine.domain.effects import RunTool, Window
from engine.domain.failures import Failure, clean, of_model_error
from engine.domain.overflow import refused
from engine.domain.text_calls import Recovered, recover
from engine.domain.turn import TurnRules, TurnState, turn_of, with_

MAX_CALLS_OF_AN_ANSWER = 32
NUDGES = {
    ErrorCode.EMPTY_ANSWER: "[harness] Your answer was empty. Answer the person with text, or use one of your tools.",
    ErrorCode.OUTPUT_TRUNCATED: (
        "[harness] Your answer reached the output limit before it said anything. Answer again, much shorter."
    ),
}


def answered(rules: TurnRules, state: TurnState, message: ModelAnswered) -> Step:
    """The one reading of a final frame."""
    final = message.final
    if final.error is not None:
        if final.error.code is ErrorCode.CONTEXT_TOO_LARGE:
            return refused(rules, state, message.sent_bytes, of_model_error(final.error))
        return _failed(state, final, of_model_error(final.error))
    state = with_(state, window=learned(state.window, message))
    if final.finish in (FinishReason.CONTENT_FILTER, FinishReason.ERROR):
        code = ErrorCode.CONTENT_FILTERED if final.finish is FinishReason.CONTENT_FILTER else ErrorCode.UNKNOWN_FAILURE
        return _failed(state, final, Failure(code, f"the model finished with {final.finish}"))
    said = _said(rules, final)
    if said.calls:
        return _dispatch(rules, state, message, said)
    return _without_calls(rules, state, final, said.text)


def learned(window: Window, message: ModelAnswered) -> Window:
    """The real usage refines the estimate of tokens; an answer ends a series of compactions."""
    bill = message.final.bill
    if bill is None or bill.usage.estimated:
        return window.model_copy(update={"compactions": 0})
    tokens = bill.usage.uncached_input + bill.usage.cache_read + bill.usage.cache_write
    known = {"last_bytes": message.sent_bytes, "last_tokens": tokens} if tokens else {}
    return window.model_copy(update={"compactions": 0, **known})


def _said(rules: TurnRules, final: Final) -> Recovered:
    text = clean(final.message.content)
    if final.message.tool_calls or not rules.tools:
        return Recovered(final.message.tool_calls, text)
    return recover(text, rules.tools)


def response(state: TurnState, final: Final, text: str, *, is_partial: bool = False) -> tuple[AgentResponse, ...]:
    """The answer's text for people; nothing when there is none (RN-059)."""
    if not text.strip():
        return ()
    return (
        AgentResponse(
            turn_id=turn_of(state), iteration=state.iteration, content=text, bill=final.bill, is_partial=is_partial
        ),
    )


def _failed(state: TurnState, final: Final, failure: Failure) -> Step:
    """What people saw arriving is kept, marked partial, before the error that ended it."""
    partial = response(state, final, clean(final.message.content), is_partial=True)
    return turn.fail(state, failure, *partial)


def _without_calls(rules: TurnRules, state: TurnState, final: Final, text: str) -> Step:
    is_cut = final.finish is FinishReason.LENGTH
    if not text.strip():
        return _nudge(rules, state, ErrorCode.OUTPUT_TRUNCATED if is_cut else ErrorCode.EMPTY_ANSWER)
    if is_cut:
        failure = Failure(ErrorCode.OUTPUT_TRUNCATED, "the model's answer reached the output limit")
        return turn.fail(state, failure, *response(state, final, text, is_partial=True))
    return turn.complete(with_(state, text=text, answer_text=text), *response(state, final, text))


def _nudge(rules: TurnRules, state: TurnState, reason: ErrorCode) -> Step:
    """An empty turn is never replayed; the model is asked again at most twice (F16)."""
    if state.nudges >= rules.max_nudges or not rules.may_go_on(state):
        return turn.fail(state, Failure(reason, f"no text and no tool call after {state.nudges} nudges"))
    nudge = ModelNudged(turn_id=turn_of(state), reason=reason, text=NUDGES[reason])
    return turn.call_again(rules, with_(state, nudges=state.nudges + 1), nudge)


def _dispatch(rules: TurnRules, state: TurnState, message: ModelAnswered, said: Recovered) -> Step:
    calls = made_unique(map(_bounded, said.calls[:MAX_CALLS_OF_AN_ANSWER]), message.used_ids)
    is_cut = message.final.finish is FinishReason.LENGTH
    state = with_(
        state,
        pending=calls,
        is_cut=is_cut,
        has_ended=False,
        failed=(),
        text=said.text if said.text.strip() else state.text,
        answer_text=said.text,
    )
    events: tuple[AgentWritten, ...] = response(state, message.final, said.text)
    events += tuple(_called(state, call) for call in calls)
    events += _left_out(state, len(said.calls) - len(calls))
    return Step(state, events, effect=RunTool(call=calls[0], offered=rules.tools, is_cut=is_cut))


def _left_out(state: TurnState, count: int) -> tuple[AgentError, ...]:
    """Calls beyond the most that one answer may make are not run, and the person is told how many."""
    if count <= 0:
        return ()
    code = ErrorCode.INVALID_TOOL_ARGUMENTS
    diagnosis = f"{count} tool calls beyond the first {MAX_CALLS_OF_AN_ANSWER} of one answer were not run"
    return (AgentError(origin=ORIGINS[code], code=code, diagnosis=diagnosis, turn_id=turn_of(state)),)


def _bounded(call: ModelToolCall) -> ModelToolCall:
    """State and log need not hold what is never executed: one byte beyond the limit says all of it."""
    return call.model_copy(update={"arguments": cut_bytes(call.arguments, MAX_TOOL_ARGUMENTS_BYTES + 1)})


def _called(state: TurnState, call: ModelToolCall) -> ToolCalled:
    """Verbatim, but for what no log should hold: the part beyond the most that could ever be executed."""
    arguments = cut_bytes(clean(call.arguments), MAX_TOOL_ARGUMENTS_BYTES)
    return ToolCalled(
        turn_id=turn_of(state), iteration=state.iteration, call_id=call.id, tool=clean(call.name), arguments=arguments
    )
