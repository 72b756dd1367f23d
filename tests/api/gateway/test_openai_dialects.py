"""What only servers that call themselves compatible with OpenAI do; the rest is in the suite of every provider."""

import json
import time

import pytest

from contracts.money import Usage
from contracts.vocabulary import FinishReason
from tests.api.gateway.asking import KEY, ask
from tests.fakes.model_server import ModelServer, Reply, ToolCall

EXACT = Usage(uncached_input=1000, output=50)


async def test_the_request_asks_for_usage_and_always_limits_the_output(server: ModelServer) -> None:
    await ask(server, Reply(text="hi"))
    body = server.requests[0].body
    assert body["max_tokens"] == 77
    assert body["stream_options"] == {"include_usage": True}
    assert body["tools"][0]["function"]["name"] == "note_down"
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"


async def test_a_server_without_keys_gets_no_authorization_header(server: ModelServer) -> None:
    answer = await ask(server, Reply(text="hi"), secret="")
    assert answer.text == "hi"
    assert "authorization" not in server.requests[0].headers


async def test_a_first_chunk_without_choices_is_ignored(server: ModelServer) -> None:
    answer = await ask(server, Reply(text="hello there", is_azure=True))
    assert (answer.text, answer.failure) == ("hello there", None)


async def test_a_break_after_the_finish_reason_loses_nothing(server: ModelServer) -> None:
    answer = await ask(server, Reply(text="whole", cut="close", after=3, usage="none", delay_ms=5))
    assert (answer.text, answer.failure) == ("whole", None)


def _raw(*parts: bytes) -> Reply:
    return Reply(raw=[part.hex() for part in parts])


def _event(content: str, finish: str | None = None) -> bytes:
    choice = {"delta": {"content": content}, "finish_reason": finish}
    return b"data: " + json.dumps({"choices": [choice]}, ensure_ascii=False).encode() + b"\n\n"


async def test_one_json_over_two_data_lines(server: ModelServer) -> None:
    event = b'data: {"choices": [{"delta": {"content":\ndata: "two lines"}, "finish_reason": "stop"}]}\n\n'
    assert (await ask(server, _raw(event))).text == "two lines"


async def test_a_surrogate_pair_that_is_split_over_chunks_is_joined(server: ModelServer) -> None:
    first = b'data: {"choices": [{"delta": {"content": "a\\ud83c"}}]}\n\n'
    second = b'data: {"choices": [{"delta": {"content": "\\udf4fb"}, "finish_reason": "stop"}]}\n\n'
    answer = await ask(server, _raw(first, second))
    assert answer.text == answer.reception.text == "a🍏b"


async def test_what_no_database_takes_is_replaced(server: ModelServer) -> None:
    event = b'data: {"choices": [{"delta": {"content": "a\\u0000b\\ud83c"}, "finish_reason": "stop"}]}\n\n'
    assert (await ask(server, _raw(event))).text == "a\ufffdb\ufffd"


async def test_null_content_and_null_arguments_are_absent(server: ModelServer) -> None:
    answer = await ask(server, Reply(tool_calls=[ToolCall(name="note_down", arguments=None, index=0)]))
    assert (answer.text, answer.arguments) == ("", [""])


# Tool calls


@pytest.mark.parametrize(
    ("calls", "is_interleaved"),
    [
        pytest.param([("a", 0, "x1"), ("b", 1, "x2")], True, id="interleaved"),
        pytest.param([("a", None, "x1"), ("b", None, "x2")], False, id="without index"),
        pytest.param([("a", 0, "x1"), ("b", 0, "x2")], False, id="all with index 0"),
        pytest.param([("a", 0, "same"), ("b", 1, "same")], True, id="repeated ids, interleaved"),
        pytest.param([("a", None, "same"), ("b", None, "same")], False, id="repeated ids without index"),
        pytest.param([("a", 0, None), ("b", 1, None)], True, id="without ids, interleaved"),
        pytest.param([("a", 0, None), ("b", 0, None)], False, id="without ids, all with index 0"),
        pytest.param([("a", None, None), ("a", None, None)], False, id="the same tool twice, neither index nor id"),
    ],
)
async def test_tool_calls_are_merged_by_index_and_id(
    server: ModelServer, calls: list[tuple[str, int | None, str | None]], is_interleaved: bool
) -> None:
    made = [
        ToolCall(name=name, arguments=f'{{"number": {number}}}', index=index, id=wire_id, pieces=3)
        for number, (name, index, wire_id) in enumerate(calls)
    ]
    answer = await ask(server, Reply(tool_calls=made, is_interleaved=is_interleaved))
    assert [call.name for call in answer.calls] == [name for name, _, _ in calls]
    assert answer.arguments == ['{"number": 0}', '{"number": 1}']
    assert len({call.id for call in answer.calls}) == len(calls)
    assert answer.reception.calls.wire_ids() == [wire_id or "" for _, _, wire_id in calls]


async def test_an_id_on_every_fragment_is_one_call(server: ModelServer) -> None:
    calls = [ToolCall(name="a", arguments='{"long": "argument"}', id="x", pieces=5, repeats_id=True)]
    assert (await ask(server, Reply(tool_calls=calls))).arguments == ['{"long": "argument"}']


ARGUMENTS = ["", '{"city": "San Fra', "[]", "null", '{"a":1} ok?']


@pytest.mark.parametrize("arguments", ARGUMENTS)
@pytest.mark.parametrize("is_streamed", [True, False])
async def test_arguments_travel_verbatim_and_are_never_repaired(
    server: ModelServer, arguments: str, is_streamed: bool
) -> None:
    call = ToolCall(name="note_down", arguments=arguments, index=0)
    answer = await ask(server, Reply(tool_calls=[call]), is_streamed=is_streamed)
    assert answer.arguments == [arguments]
    assert answer.reception.finish is FinishReason.TOOL_CALLS


@pytest.mark.parametrize("pieces", [1, 4000])
async def test_two_megabytes_of_arguments_in_linear_time(server: ModelServer, pieces: int) -> None:
    call = ToolCall(name="note_down", arguments="x" * 2_000_000, index=0, pieces=pieces)
    began = time.monotonic()
    answer = await ask(server, Reply(tool_calls=[call]))
    assert len(answer.arguments[0]) == 2_000_000
    assert time.monotonic() - began < 10


# Refusals


@pytest.mark.parametrize("field", ["stream_options", "temperature"])
async def test_what_a_server_refuses_by_name_is_left_out_and_remembered(server: ModelServer, field: str) -> None:
    refusing = Reply(text="fine", refuses=field)
    answer = await ask(server, refusing, refusing)
    assert (answer.text, answer.failure) == ("fine", None)
    assert field in server.requests[0].body
    assert field not in server.requests[1].body
    await ask(server, refusing)
    assert len(server.requests) == 3


async def test_a_refusal_text_is_the_refusals_own(server: ModelServer) -> None:
    answer = await ask(server, Reply(refusal="I cannot help with that."))
    assert (answer.text, answer.reception.refusal) == ("", "I cannot help with that.")
