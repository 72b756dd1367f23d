"""What a Creative's turn takes in, and what becomes of a model that repeats or overdoes itself."""

from uuid import uuid4

import pytest

from contracts.events import (
    AgentError,
    AgentResponse,
    BusinessRule,
    HandoffRejected,
    ReadinessConfirmed,
    TurnContinued,
)
from contracts.failures import ErrorCode
from contracts.vocabulary import FinishReason
from engine.agents.creative import behaviour
from engine.agents.creative.context import say
from engine.domain.behaviour import (
    ModelAnswered,
)
from engine.domain.effects import CallModel
from engine.domain.turn import TurnState
from tests.unit.engine.creating import ASK, chat, kinds, play
from tests.unit.engine.told import NOW, Told, answer, call, ran, runs


def test_a_continue_begins_a_turn_on_what_is_there() -> None:
    log = Told()
    step = behaviour.handle(behaviour.start(), log.began(log.add(TurnContinued(), "creative")), NOW)
    assert step.effect == CallModel(iteration=1, tools=("emit_artifact", ASK))


def test_a_rejected_handoff_is_told_with_its_reason() -> None:
    rejected = HandoffRejected(handoff_id=uuid4(), to_agent="product_owner", reason="vago demais")
    assert "vago demais" in say(Told().add(rejected, "creative"), ())


def test_a_message_is_told_with_its_seq() -> None:
    log = Told()
    log.say("um")
    assert say(log.say("dois"), log.events) == "[2] dois"


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
