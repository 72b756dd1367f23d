"""The Creative's decisions as a table of messages and steps."""

from uuid import uuid4

import pytest

from contracts.events import (
    AgentError,
    AgentResponse,
    BusinessRule,
    HandoffRejected,
    ProductBrief,
    Question,
    ReadinessConfirmed,
    StructuredQuestion,
    TurnContinued,
)
from contracts.failures import ErrorCode, FailureOrigin
from contracts.vocabulary import FinishReason, Language, TurnStatus
from engine.agents.creative import behaviour
from engine.agents.creative.context import say
from engine.domain.behaviour import (
    BriefWritten,
    EffectFailed,
    ModelAnswered,
    Received,
    Step,
    ToolRan,
    WorkOffered,
)
from engine.domain.effects import CallModel, OfferWork, RunTool, WriteBrief
from engine.domain.failures import Failure
from engine.domain.tools import succeeded
from engine.domain.turn import TurnState
from tests.unit.engine.told import NOW, Told, answer, call, ran, runs

ASK = "ask_structured_questions"


def play(step: Step, *messages: Received) -> Step:
    """The last of the steps that the messages lead to."""
    for message in messages:
        assert isinstance(step.state, TurnState)
        step = behaviour.handle(step.state, message, NOW)
    return step


def chat(log: Told | None = None) -> Step:
    """A turn that answers one message."""
    log = log or Told()
    return behaviour.handle(behaviour.start(), log.began(log.say("Olá"), language=Language.PORTUGUESE), NOW)


def consolidation() -> Step:
    """A readiness turn of a session with one rule."""
    log = Told()
    said = log.say("Olá")
    log.add(BusinessRule(title="t", description="d", origin=(said.seq,)))
    return behaviour.handle(behaviour.start(), log.began(log.add(ReadinessConfirmed(), "creative")), NOW)


def asked() -> ToolRan:
    """The person was asked something."""
    question = StructuredQuestion(turn_id=uuid4(), questions=(Question(id="q", label="Quem?"),))
    return ToolRan(succeeded("Asked.", question))


def kinds(step: Step) -> list[str]:
    return [event.type for event in step.events]


def errors(step: Step) -> list[tuple[FailureOrigin, ErrorCode, str | None, bool]]:
    return [
        (event.origin, event.code, event.tool, event.will_retry)
        for event in step.events
        if isinstance(event, AgentError)
    ]


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


def test_rn_116_readiness_without_a_rule_is_refused_as_policy_and_without_a_model_call() -> None:
    log = Told()
    step = behaviour.handle(behaviour.start(), log.began(log.add(ReadinessConfirmed(), "creative")), NOW)
    assert errors(step) == [(FailureOrigin.POLICY, ErrorCode.NO_BUSINESS_RULE, None, False)]
    assert step.effect is None


def test_rn_142_a_consolidation_leads_to_the_brief_then_to_the_offer_then_to_the_end() -> None:
    step = play(consolidation(), answer("Resumo."))
    assert (kinds(step), step.effect) == (["agent.response"], WriteBrief(summary="Resumo."))
    brief = Told().add(ProductBrief(number=1, summary="Resumo.", rules=(uuid4(),)))
    step = play(step, BriefWritten(brief))
    assert step.effect == OfferWork(to_agent="product_owner", artifact_event_id=brief.id)
    step = play(step, WorkOffered(uuid4()))
    assert step.end is not None
    assert step.end.status is TurnStatus.COMPLETED


def test_rn_142_no_form_is_offered_in_a_consolidation() -> None:
    assert consolidation().effect == CallModel(iteration=1, tools=("emit_artifact",))


def test_rn_142_a_failed_consolidation_writes_no_brief() -> None:
    step = play(consolidation(), answer("", error=ErrorCode.BUDGET_EXCEEDED, finish=FinishReason.ERROR))
    assert (step.effect, errors(step)[0][1]) == (None, ErrorCode.BUDGET_EXCEEDED)


def test_rn_142_a_failed_brief_offers_nothing() -> None:
    step = play(consolidation(), answer("Resumo."))
    effect = step.effect
    assert isinstance(effect, WriteBrief)
    step = play(step, EffectFailed(effect, Failure(ErrorCode.SERVICE_UNREACHABLE)))
    assert (step.effect, errors(step)[0][:2]) == (None, (FailureOrigin.INFRA, ErrorCode.SERVICE_UNREACHABLE))


def test_a_refused_handoff_says_what_is_saved_and_the_agent_lives() -> None:
    offer = OfferWork(to_agent="product_owner", artifact_event_id=uuid4())
    step = play(consolidation(), EffectFailed(offer, Failure(ErrorCode.HANDOFF_REFUSED, "raw")))
    error = step.events[0]
    assert isinstance(error, AgentError)
    assert (error.code, error.facts["saved"]) == (ErrorCode.HANDOFF_REFUSED, "product_brief")
    log = Told()
    again = behaviour.handle(
        step.state if isinstance(step.state, TurnState) else TurnState(), log.began(log.say("oi")), NOW
    )
    assert isinstance(again.effect, CallModel)


def test_a_continue_begins_a_turn_on_what_is_there() -> None:
    log = Told()
    step = behaviour.handle(behaviour.start(), log.began(log.add(TurnContinued(), "creative")), NOW)
    assert step.effect == CallModel(iteration=1, tools=("emit_artifact", ASK))


def test_a_rejected_handoff_is_told_with_its_reason() -> None:
    rejected = HandoffRejected(handoff_id=uuid4(), to_agent="product_owner", reason="vago demais")
    assert "vago demais" in say(Told().add(rejected, "creative"))


def test_a_message_is_told_with_its_seq() -> None:
    log = Told()
    log.say("um")
    assert say(log.say("dois")) == "[2] dois"


def test_a_call_written_as_text_is_run_and_taken_out_of_the_text() -> None:
    step = play(chat(), answer('Anoto. {"name": "emit_artifact", "arguments": {"type": "note"}}'))
    response = step.events[0]
    assert isinstance(response, AgentResponse)
    assert (response.content, runs(step.effect)) == ("Anoto.", "emit_artifact")


def test_stuck_one_nudge_then_the_turn_ends() -> None:
    same = (answer("", call(arguments='{"a": 1}')), ran("no", ErrorCode.INVALID_ARTIFACT))
    nudged = play(chat(), *same, *same, *same)
    assert kinds(nudged) == ["tool.result", "agent.error", "model.nudged"]
    stuck = play(nudged, *same)
    assert stuck.end is not None
    assert stuck.end.reason is ErrorCode.STUCK


def test_different_arguments_refused_for_the_same_reason_are_not_stuck() -> None:
    step = chat()
    for number in range(5):
        step = play(step, answer("", call(arguments=f'{{"n": {number}}}')), ran("no", ErrorCode.INVALID_ARTIFACT))
        assert kinds(step) == ["tool.result", "agent.error"]


def test_ids_of_calls_are_unique_in_the_session() -> None:
    step = play(chat(), answer("", call(call_id="a"), call(call_id="a"), call(), used=frozenset({"a", "call_1"})))
    assert [event.call_id for event in step.events if event.type == "tool.call"] == ["a_1", "a_2", "call_2"]


def test_a_body_refused_as_too_large_is_compacted_not_sent_again() -> None:
    refused: ModelAnswered = answer("", error=ErrorCode.CONTEXT_TOO_LARGE, finish=FinishReason.ERROR, sent_bytes=9_000)
    step = play(chat(), refused)
    assert step.effect is not None
    assert (step.effect.kind, step.events) == ("compact", ())


@pytest.mark.parametrize(("begun_by_a_click", "is_consolidation"), [(True, True), (False, False)])
def test_continue_goes_on_with_what_the_turn_was(*, begun_by_a_click: bool, is_consolidation: bool) -> None:
    """RN-142: an interrupted consolidation is consolidated, an interrupted answer is not."""
    log = Told()
    said = log.say("Olá")
    log.add(BusinessRule(title="t", description="d", origin=(said.seq,)))
    click = log.add(ReadinessConfirmed(), "creative") if begun_by_a_click else said
    first = log.start(click)
    again = log.start(log.add(TurnContinued(after_turn_id=first), "creative"))
    step = behaviour.handle(behaviour.start(), log.began(log.add(TurnContinued(after_turn_id=again), "creative")), NOW)
    assert isinstance(step.state, TurnState)
    assert step.state.is_consolidation is is_consolidation


def test_calls_beyond_the_most_of_one_answer_are_not_run_and_not_hidden() -> None:
    step = play(chat(), answer("", *(call(call_id=f"c{number}") for number in range(35))))
    errors = [event for event in step.events if isinstance(event, AgentError)]
    assert [event.type for event in step.events].count("tool.call") == 32
    assert [error.diagnosis for error in errors] == ["3 tool calls beyond the first 32 of one answer were not run"]
