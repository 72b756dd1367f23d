"""Small rules of a turn: stuck, calls written as text, ids, the inbox, the saved state."""

import json
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.events import ReadinessConfirmed
from contracts.routes.instances import AgentContext, Lease, RunningTurn
from contracts.vocabulary import Language, SessionKind
from engine.agents.creative.agent import CREATIVE
from engine.domain import stuck
from engine.domain.call_ids import made_unique
from engine.domain.effects import CallModel
from engine.domain.text_calls import recover
from engine.domain.turn import TurnState
from engine.runtime import saved
from engine.runtime.inbox import pick
from engine.settings import SettingsError, read
from tests.unit.engine.told import Told, call

A, B, C = (stuck.did(name, "{}", "r") for name in "abc")


@pytest.mark.parametrize(
    ("moves", "is_stuck"),
    [
        ((A, A), False),
        ((A, A, A), True),
        ((B, A, A, A), True),
        ((A, A, A, B), False),
        ((A, B, A, B), False),
        ((A, B, A, B, A, B), True),
        ((A, B, C, A, B, C), False),
        ((stuck.said("Oi  você"),) * 2 + (stuck.said("Oi você"),), True),
    ],
)
def test_the_same_moves_three_times_are_stuck(moves: tuple[str, ...], is_stuck: bool) -> None:
    assert stuck.is_stuck(moves) is is_stuck


def test_order_of_keys_does_not_make_another_move_but_another_result_does() -> None:
    assert stuck.did("t", '{"a":1,"b":2}', "r") == stuck.did("t", '{"b":2, "a":1}', "r")
    assert stuck.did("t", "{}", "r") != stuck.did("t", "{}", "other")


def test_only_registered_names_with_an_object_of_arguments_are_recovered_from_text() -> None:
    text = (
        'One ```json\n{"name": "a", "arguments": {"x": "}"}}\n``` two {"name": "b", "arguments": {}} '
        '{"name": "a", "arguments": "x"} {"name": "a", "parameters": {}} {broken'
    )
    found = recover(text, ("a",))
    assert [(each.name, each.arguments) for each in found.calls] == [("a", '{"x": "}"}'), ("a", "{}")]
    assert found.text == 'One  two {"name": "b", "arguments": {}} {"name": "a", "arguments": "x"}  {broken'


@given(st.text())
def test_text_without_calls_stays_as_it_is(text: str) -> None:
    assert recover(text, ("a",)).text == text


@given(st.lists(st.sampled_from(["", "a", "a_1", "b", "über", "x" * 80])), st.frozensets(st.sampled_from("ab")))
def test_ids_are_unique_and_acceptable_to_providers(ids: list[str], used: frozenset[str]) -> None:
    made = [each.id for each in made_unique([call(call_id=each) for each in ids], used)]
    assert len({*made, *used}) == len(made) + len(used)
    assert all(each.isascii() and 0 < len(each) <= 64 for each in made)


def test_leading_messages_are_taken_together_and_anything_else_alone() -> None:
    log = Told()
    first, second = log.say("a"), log.say("b")
    click = log.add(ReadinessConfirmed(), "creative")
    later = log.say("c")
    assert pick((first, second, click, later)) == (first, second)
    assert pick((click, later)) == (click,)
    assert pick(()) == ()


def lease(state: str | None, turn: RunningTurn | None) -> Lease:
    context = AgentContext(
        instance_id=uuid4(),
        session_id=uuid4(),
        project_id=uuid4(),
        agent="creative",
        project_name="p",
        language=Language.ENGLISH,
        session_kind=SessionKind.CREATIVE,
        context_tokens=1,
        max_body_bytes=1,
    )
    return Lease(epoch=1, step=1, lease_ms=5_000, state=state, turn=turn, inbox=(), context=context)


def test_the_effect_of_the_running_turn_is_resumed() -> None:
    turn_id, effect = uuid4(), CallModel(iteration=3)
    text = saved.write(TurnState(iteration=3), turn_id, effect)
    resumed = saved.read(CREATIVE, lease(text, RunningTurn(turn_id=turn_id, number=1)))
    assert (resumed.state, resumed.effect) == (TurnState(iteration=3), effect)


@pytest.mark.parametrize("turn", [None, RunningTurn(turn_id=uuid4(), number=2)])
def test_the_effect_of_a_turn_that_is_not_running_is_dropped(turn: RunningTurn | None) -> None:
    text = saved.write(TurnState(), uuid4(), CallModel(iteration=1))
    assert saved.read(CREATIVE, lease(text, turn)).effect is None


@pytest.mark.parametrize("text", ["{", "{}", json.dumps({"behaviour": {"iteration": "x"}})])
def test_a_state_that_cannot_be_read_is_said_and_not_guessed(text: str) -> None:
    resumed = saved.read(CREATIVE, lease(text, None))
    assert (resumed.state, bool(resumed.unreadable)) == (TurnState(), True)


COMPLETE = {
    "API_URL": "http://a/",
    "BROKER_URL": "redis://b",
    "ENGINE_TO_API_KEYS": "k:s",
    "API_TO_ENGINE_KEYS": "k:s",
}


def test_the_environment_becomes_a_value() -> None:
    assert read(COMPLETE).api_url == "http://a"


@pytest.mark.parametrize("name", COMPLETE)
def test_a_missing_variable_is_named_in_one_sentence(name: str) -> None:
    with pytest.raises(SettingsError, match=rf"^The engine needs {name}: [^.]*") as caught:
        read({**COMPLETE, name: " "})
    assert "\n" not in str(caught.value)
