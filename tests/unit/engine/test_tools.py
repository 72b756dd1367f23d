"""F17 and RN-162: what a model sends is executed as it is or not at all."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.failures import ErrorCode
from contracts.limits import MAX_TOOL_ERROR_CHARS, MAX_TOOL_RESULT_BYTES
from engine.domain.tools import Arguments, ToolOutcome, failed, read_arguments, succeeded, unknown
from tests.unit.engine.told import call


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
