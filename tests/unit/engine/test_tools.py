"""F17 and RN-162: what a model sends is executed as it is or not at all."""

import json
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.artifacts import BusinessRule, CitedRule, Note
from contracts.events import LogEvent
from contracts.failures import ErrorCode
from contracts.limits import MAX_TOOL_ERROR_CHARS, MAX_TOOL_RESULT_BYTES
from contracts.problem import Problem, ProblemCode
from engine.domain.failures import ApiProblem
from engine.domain.tools import Arguments, Scope, ToolOutcome, failed, read_arguments, succeeded, unknown
from engine.tools import ask_structured_questions as ask
from engine.tools import emit_artifact as emit
from tests.unit.engine.told import Told, call


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        '{"city": "San Fra',
        "[]",
        "null",
        '"text"',
        "7",
        '{"a":1} ok?',
        "x" * 2_000_000,
        '{"a": NaN}',
        "{'a': 1}",
        "[" * 100_000,
        '{"a": ' + "9" * 5_000 + "}",
    ],
)
def test_f17_arguments_that_are_no_json_object_are_refused_with_a_bounded_word(text: str) -> None:
    refused = read_arguments(call(arguments=text), is_cut=False)
    assert isinstance(refused, ToolOutcome)
    assert (refused.code, len(refused.text) <= MAX_TOOL_ERROR_CHARS) == (ErrorCode.INVALID_TOOL_ARGUMENTS, True)


def test_f17_whole_arguments_of_a_cut_answer_are_refused() -> None:
    assert isinstance(read_arguments(call(arguments='{"a": 1}'), is_cut=True), ToolOutcome)


@given(st.dictionaries(st.text(max_size=5), st.integers() | st.text(max_size=5) | st.none(), max_size=3))
def test_f17_a_json_object_is_taken_as_it_is(values: dict[str, Any]) -> None:
    assert read_arguments(call(arguments=json.dumps(values)), is_cut=False) == Arguments(values)


def test_an_unknown_tool_is_an_error_result_that_lists_the_tools() -> None:
    outcome = unknown(call("launch_rocket"), ("emit_artifact",))
    assert (outcome.code, "emit_artifact" in outcome.text) == (ErrorCode.UNKNOWN_TOOL, True)


@given(st.text(max_size=5_000))
def test_results_and_errors_are_bounded(text: str) -> None:
    assert len(succeeded(text).text.encode()) <= MAX_TOOL_RESULT_BYTES
    assert len(failed(ErrorCode.INVALID_ARTIFACT, text).text) <= MAX_TOOL_ERROR_CHARS


# emit_artifact


RULE = {"title": " Atraso ", "description": "Bloqueia.", "origin": [1]}


async def emitted(
    payload: Any, kind: str = "business_rule", refusal: Problem | None = None
) -> tuple[ToolOutcome, list[Any]]:
    """The outcome, and what reached the api."""
    log, stored = Told(), list[Any]()
    log.say("livro atrasado bloqueia")

    async def store(artifact: Note | BusinessRule) -> LogEvent:
        if refusal:
            raise ApiProblem(refusal)
        stored.append(artifact)
        return log.add(artifact)

    scope = Scope(uuid4(), tuple(log.events), store)
    return await emit.run({"type": kind, "payload": payload}, scope), stored


async def test_a_rule_is_stored_with_its_origin() -> None:
    outcome, stored = await emitted(RULE)
    assert outcome.ok
    assert stored == [BusinessRule(title="Atraso", description="Bloqueia.", origin=(1,))]


@pytest.mark.parametrize(
    "payload",
    [
        {**RULE, "origin": []},
        {**RULE, "origin": ["1"]},
        {**RULE, "origin": [True]},
        {**RULE, "title": "  "},
        {**RULE, "extra": 1},
        {**RULE, "description": "a\x00b"},
        {"title": "t"},
        "text",
        None,
    ],
)
async def test_an_invalid_rule_is_not_stored_and_said_to_the_model(payload: Any) -> None:
    outcome, stored = await emitted(payload)
    assert (outcome.ok, stored) == (False, [])


async def test_rn_061_an_origin_that_is_no_message_is_refused_with_those_that_are() -> None:
    outcome, stored = await emitted({**RULE, "origin": [1, 99]})
    assert (outcome.code, stored) == (ErrorCode.INVALID_ARTIFACT, [])
    assert ("99" in outcome.text, outcome.text.endswith("Messages you may name: 1.")) == (True, True)


async def test_rn_080_a_duplicate_is_an_ordinary_error_that_names_the_existing_title() -> None:
    facts = {"existing": "Atraso na devolução"}
    problem = Problem(title="t", status=409, code=ProblemCode.DUPLICATE_RULE, detail="Go on.", facts=facts)
    outcome, _ = await emitted(RULE, refusal=problem)
    assert (outcome.code, "Atraso na devolução" in outcome.text) == (ErrorCode.DUPLICATE_RULE, True)


async def test_a_rule_of_another_session_is_told_in_the_words_that_count() -> None:
    cites = CitedRule(event_id=uuid4(), session_id=uuid4(), seq=7)
    first = BusinessRule(title="Atraso", description="Bloqueia por sete dias.", origin=(1,), cites=cites)

    async def cite(_: Note | BusinessRule) -> LogEvent:
        return log.add(first)

    log = Told()
    log.say("livro atrasado bloqueia")
    outcome = await emit.run({"type": "business_rule", "payload": RULE}, Scope(uuid4(), tuple(log.events), cite))
    assert (outcome.ok, outcome.text.endswith("Bloqueia por sete dias.")) == (True, True)


async def test_the_brief_is_not_the_models_to_write() -> None:
    outcome, stored = await emitted({"title": "t", "summary": "s"}, kind="product_brief")
    assert (outcome.ok, stored) == (False, [])


def test_the_description_names_the_fields_of_each_type_with_a_filled_example() -> None:
    text = emit.SPEC.description
    examples = [line[line.index("{") :] for line in text.splitlines() if "Example:" in line]
    for example in examples:
        assert not isinstance(emit.read(json.loads(example)), ToolOutcome)
    assert len(examples) == 2


# ask_structured_questions


def question(**fields: Any) -> dict[str, Any]:
    return {"id": "q", "label": "Quem?", **fields}


def test_rn_162_the_type_is_text_unless_said() -> None:
    questions = ask.read({"questions": [question()]})
    assert not isinstance(questions, ToolOutcome)
    assert (questions[0].type, questions[0].allow_other) == ("text", False)


@pytest.mark.parametrize(
    ("kind", "given", "normalised"),
    [("select", None, True), ("select", False, False), ("text", True, False), ("textarea", True, False)],
)
def test_rn_162_other_is_open_for_select_and_false_for_the_rest(
    kind: str, given: bool | None, normalised: bool
) -> None:
    fields: dict[str, Any] = {"type": kind, "options": ["a"]} | ({} if given is None else {"allow_other": given})
    questions = ask.read({"questions": [question(**fields)]})
    assert not isinstance(questions, ToolOutcome)
    assert questions[0].allow_other is normalised


@pytest.mark.parametrize(
    "questions",
    [
        None,
        [],
        {},
        "q",
        [question()] * 2,
        [question()] * 21,
        ["q"],
        [question(id="")],
        [question(id=3)],
        [question(label=" ")],
        [question(type="number")],
        [question(type=["select"])],
        [question(type="select")],
        [question(type="select", options=[])],
        [question(type="select", options=["a", ""])],
        [question(type="select", options=["a", 1])],
        [question(type="select", options="ab")],
        [question(type="select", options=["a"], allow_other="yes")],
        [question(allow_other=None)],
        [question(label="l" * 501)],
        [question(label="a\x00")],
    ],
)
def test_rn_162_an_invalid_list_asks_nothing_and_is_told_to_the_model(questions: Any) -> None:
    refused = ask.read({"questions": questions})
    assert isinstance(refused, ToolOutcome)
    assert refused.code is ErrorCode.INVALID_TOOL_ARGUMENTS


async def test_rn_162_the_form_is_written_with_the_step_that_records_it() -> None:
    async def nothing(_: Note | BusinessRule) -> LogEvent:
        raise AssertionError

    outcome = await ask.run({"questions": [question()]}, Scope(uuid4(), (), nothing))
    assert outcome.question is not None
    assert outcome.question.questions[0].label == "Quem?"


def test_the_example_of_the_form_is_valid() -> None:
    text = ask.SPEC.description
    example = json.loads(text[text.index('{"questions"') :])
    assert not isinstance(ask.read(example), ToolOutcome)
