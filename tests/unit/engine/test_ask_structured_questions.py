"""ask_structured_questions: the form that ends a turn (RN_162)."""

import json
from typing import Any

import pytest

from contracts.failures import ErrorCode
from engine.domain.tools import ToolOutcome
from engine.tools import ask_structured_questions as ask
from tests.unit.engine.asking import Api

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
    outcome = await ask.run({"questions": [question()]}, Api({}).scope())
    assert outcome.question is not None
    assert outcome.question.questions[0].label == "Quem?"


def test_the_example_of_the_form_is_valid() -> None:
    text = ask.SPEC.description
    example = json.loads(text[text.index('{"questions"') :])
    assert not isinstance(ask.read(example), ToolOutcome)
