"""The Creative's decisions as a table of messages and steps."""

from uuid import uuid4

import pytest

from contracts.events import (
    AgentError,
    AgentResponse,
    Question,
    StructuredQuestion,
)
from contracts.failures import ErrorCode, FailureOrigin
from contracts.vocabulary import FinishReason, TurnStatus
from engine.domain.behaviour import (
    Step,
    ToolRan,
)
from engine.domain.effects import CallModel, RunTool
from engine.domain.tools import succeeded
from tests.unit.engine.creating import ASK, chat, errors, kinds, play
from tests.unit.engine.told import answer, call, ran, runs


def asked() -> ToolRan:
    """The person was asked something."""
    question = StructuredQuestion(turn_id=uuid4(), questions=(Question(id="q", label="Quem?"),))
    return ToolRan(succeeded("Asked.", question))


def test_a_message_leads_to_a_model_call_with_both_tools() -> None:
    assert chat().effect == CallModel(iteration=1, tools=("emit_artifact", ASK))


def test_a_text_ends_the_turn_as_one_response() -> None:
    step = play(chat(), answer("Quem visita?"))
    assert (kinds(step), step.end and step.end.status) == (["agent.response"], TurnStatus.COMPLETED)


def test_every_call_of_an_answer_is_run_in_order_and_gets_its_result() -> None:
    step = play(chat(), answer("Anoto.", call(), call("unknown_tool")))
    assert kinds(step) == ["agent.response", "tool.call", "tool.call"]
    assert runs(step.effect) == "emit_artifact"
    step = play(step, ran())
    assert (kinds(step), runs(step.effect)) == (["tool.result"], "unknown_tool")


def test_rn_061_a_failed_tool_is_told_and_the_model_called_again_in_the_same_turn() -> None:
    step = play(chat(), answer("", call()), ran("Not stored.", ErrorCode.INVALID_ARTIFACT))
    assert kinds(step) == ["tool.result", "agent.error"]
    assert errors(step) == [(FailureOrigin.MODEL, ErrorCode.INVALID_ARTIFACT, "emit_artifact", True)]
    assert isinstance(step.effect, CallModel)


def test_rn_061_the_promise_to_correct_waits_until_all_calls_were_dispatched() -> None:
    step = play(chat(), answer("", call(), call()), ran("no", ErrorCode.DUPLICATE_RULE))
    assert kinds(step) == ["tool.result"]
    assert errors(play(step, ran())) == [(FailureOrigin.MODEL, ErrorCode.DUPLICATE_RULE, "emit_artifact", True)]


def test_rn_061_an_api_that_did_not_answer_a_tool_is_infra() -> None:
    step = play(chat(), answer("", call()), ran("no", ErrorCode.SERVICE_UNREACHABLE))
    assert errors(step)[0][0] is FailureOrigin.INFRA


def test_rn_061_the_last_word_of_a_mended_turn_is_a_response() -> None:
    failing = (answer("", call()), ran("no", ErrorCode.INVALID_ARTIFACT))
    by_text = play(chat(), *failing, answer("Pronto."))
    by_form = play(chat(), *failing, answer("", call(ASK)), asked())
    assert kinds(by_text) == ["agent.response"]
    assert kinds(by_form) == ["chat.structured_question", "tool.result", "agent.response"]
    assert by_form.end is not None
    assert by_form.end.status is TurnStatus.COMPLETED


def at_the_ceiling() -> Step:
    """Eleven answers with a failing tool, each with other arguments."""
    step = chat()
    for number in range(11):
        step = play(step, answer("", call(arguments=f'{{"n": {number}}}')), ran("no", ErrorCode.INVALID_ARTIFACT))
    return step


def test_rn_163_the_ceiling_is_an_error_of_the_model_that_names_twelve() -> None:
    step = play(at_the_ceiling(), answer("", call()), ran("no", ErrorCode.INVALID_ARTIFACT))
    assert errors(step) == [
        (FailureOrigin.MODEL, ErrorCode.INVALID_ARTIFACT, "emit_artifact", False),
        (FailureOrigin.MODEL, ErrorCode.ITERATION_LIMIT, None, False),
    ]
    last = step.events[-1]
    assert isinstance(last, AgentError)
    assert last.max_iterations == 12
    assert step.end is not None
    assert (step.end.status, step.end.reason) == (TurnStatus.FAILED, ErrorCode.ITERATION_LIMIT)


def test_rn_162_a_form_ends_the_turn_at_once() -> None:
    step = play(chat(), answer("", call(ASK)), asked())
    assert kinds(step) == ["chat.structured_question", "tool.result"]
    assert step.end is not None


def test_rn_162_correction_goes_before_the_form() -> None:
    step = play(chat(), answer("", call(ASK), call()), asked(), ran("no", ErrorCode.INVALID_ARTIFACT))
    assert isinstance(step.effect, CallModel)


def test_rn_162_at_the_ceiling_the_form_ends_the_turn_although_a_call_failed() -> None:
    step = play(at_the_ceiling(), answer("", call(ASK), call()), asked(), ran("no", ErrorCode.INVALID_ARTIFACT))
    assert step.end is not None
    assert step.end.status is TurnStatus.COMPLETED
    assert isinstance(step.events[-1], AgentResponse)


@pytest.mark.parametrize("empty", ["", "  \n\t"])
def test_f16_an_empty_answer_is_nudged_at_most_twice_and_never_replayed(empty: str) -> None:
    first = play(chat(), answer(empty))
    second = play(first, answer(empty))
    third = play(second, answer(empty))
    assert [kinds(step) for step in (first, second)] == [["model.nudged"], ["model.nudged"]]
    assert errors(third) == [(FailureOrigin.MODEL, ErrorCode.EMPTY_ANSWER, None, False)]
    assert third.end is not None


def test_an_answer_cut_at_the_output_limit_is_kept_as_partial_and_said_so() -> None:
    step = play(chat(), answer("Era uma vez", finish=FinishReason.LENGTH))
    response = step.events[0]
    assert isinstance(response, AgentResponse)
    assert response.is_partial
    assert errors(step) == [(FailureOrigin.MODEL, ErrorCode.OUTPUT_TRUNCATED, None, False)]


def test_f17_calls_of_a_cut_answer_are_run_as_cut() -> None:
    step = play(chat(), answer("", call(arguments='{"a": 1}'), finish=FinishReason.LENGTH))
    assert isinstance(step.effect, RunTool)
    assert step.effect.is_cut


@pytest.mark.parametrize(
    ("code", "status"),
    [
        (ErrorCode.BUDGET_EXCEEDED, TurnStatus.FAILED),
        (ErrorCode.RATE_LIMITED, TurnStatus.FAILED),
        (ErrorCode.INTERRUPTED, TurnStatus.INTERRUPTED),
    ],
)
def test_a_failed_call_ends_the_turn_with_its_own_code(code: ErrorCode, status: TurnStatus) -> None:
    step = play(chat(), answer("Meia", error=code, finish=FinishReason.ERROR))
    assert kinds(step) == ["agent.response", "agent.error"]
    assert step.end is not None
    assert (step.end.status, step.end.reason) == (status, code)
    error = step.events[-1]
    assert isinstance(error, AgentError)
    assert error.diagnosis == "raw words"
