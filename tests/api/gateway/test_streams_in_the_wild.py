"""What servers that call themselves compatible send, and what we make of it."""

import json
import time

import pytest

from api.rooms.gateway.domain.reception import Reception
from api.rooms.gateway.providers import Target
from api.rooms.gateway.providers.openai_compatible import OpenAICompatible
from contracts.failures import ErrorCode
from contracts.money import Usage
from contracts.vocabulary import FinishReason
from tests.api.gateway.asking import KEY, a_call, ask, ask_at
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


@pytest.mark.parametrize("kind", ["last_chunk", "with_finish", "every_chunk"])
async def test_usage_is_read_wherever_it_comes(server: ModelServer, kind: str) -> None:
    answer = await ask(server, Reply(text="one two three", usage=kind))  # type: ignore[arg-type]
    assert answer.reception.usage == EXACT


@pytest.mark.parametrize("kind", ["zeros", "none"])
async def test_no_usage_and_all_zeros_are_no_report(server: ModelServer, kind: str) -> None:
    answer = await ask(server, Reply(text="one two three", usage=kind))  # type: ignore[arg-type]
    assert answer.reception.usage is None
    assert answer.text == "one two three"


async def test_cached_and_reasoning_tokens_are_disjoint_buckets(server: ModelServer) -> None:
    answer = await ask(server, Reply(text="hi", cached_tokens=900, reasoning_tokens=30, reasoning="let me think"))
    assert answer.reception.usage == Usage(uncached_input=100, cache_read=900, output=50, reasoning=30)
    assert answer.text == "hi"


async def test_a_first_chunk_without_choices_is_ignored(server: ModelServer) -> None:
    answer = await ask(server, Reply(text="hello there", is_azure=True))
    assert (answer.text, answer.failure) == ("hello there", None)


async def test_a_finish_reason_without_done_is_complete(server: ModelServer) -> None:
    answer = await ask(server, Reply(text="all of it", has_done=False))
    assert (answer.text, answer.failure, answer.reception.finish) == ("all of it", None, FinishReason.STOP)


async def test_done_without_a_finish_reason_is_complete(server: ModelServer) -> None:
    answer = await ask(server, Reply(text="all of it", finish=None))
    assert (answer.text, answer.failure) == ("all of it", None)


async def test_neither_finish_nor_done_is_incomplete_and_keeps_the_partial_text(server: ModelServer) -> None:
    answer = await ask(server, Reply(text="half of", finish=None, has_done=False, usage="none"))
    assert answer.code is ErrorCode.STREAM_INCOMPLETE
    assert answer.reception.text == "half of"


@pytest.mark.parametrize("how", ["close", "reset"])
async def test_a_connection_that_breaks_in_the_middle_is_incomplete(server: ModelServer, how: str) -> None:
    answer = await ask(server, Reply(text="one two three four", cut=how, after=3, delay_ms=30))  # type: ignore[arg-type]
    assert answer.code is ErrorCode.STREAM_INCOMPLETE
    assert answer.reception.text == "one two "


async def test_a_break_after_the_finish_reason_loses_nothing(server: ModelServer) -> None:
    answer = await ask(server, Reply(text="whole", cut="close", after=3, usage="none", delay_ms=5))
    assert (answer.text, answer.failure) == ("whole", None)


async def test_an_error_object_as_the_first_event_is_mapped(server: ModelServer) -> None:
    error = {"error": {"message": "slow down", "type": "rate_limit_error", "code": None}}
    answer = await ask(server, Reply(first_event=error))
    assert answer.code is ErrorCode.RATE_LIMITED
    assert answer.reception.is_rejected


async def test_an_error_object_in_the_middle_keeps_the_partial_text(server: ModelServer) -> None:
    error = {"error": {"message": "overloaded", "code": 502}}
    answer = await ask(server, Reply(text="one two three", after=3, error_after=error))
    assert answer.code is ErrorCode.PROVIDER_UNAVAILABLE
    assert answer.reception.text == "one two "
    assert not answer.reception.is_rejected


async def test_an_error_of_an_unknown_shape_is_code(server: ModelServer) -> None:
    answer = await ask(server, Reply(first_event={"error": {"message": "?", "type": "sunspots"}}))
    assert answer.code is ErrorCode.UNKNOWN_FAILURE


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
async def test_comments_ids_pings_and_every_newline_are_understood(server: ModelServer, newline: str) -> None:
    answer = await ask(server, Reply(text="plain words", comments=True, newline=newline))  # type: ignore[arg-type]
    assert (answer.text, answer.failure) == ("plain words", None)


def _raw(*parts: bytes) -> Reply:
    return Reply(raw=[part.hex() for part in parts])


def _event(content: str, finish: str | None = None) -> bytes:
    choice = {"delta": {"content": content}, "finish_reason": finish}
    return b"data: " + json.dumps({"choices": [choice]}, ensure_ascii=False).encode() + b"\n\n"


async def test_one_json_over_two_data_lines(server: ModelServer) -> None:
    event = b'data: {"choices": [{"delta": {"content":\ndata: "two lines"}, "finish_reason": "stop"}]}\n\n'
    assert (await ask(server, _raw(event))).text == "two lines"


async def test_a_character_that_is_split_over_writes_and_a_line_separator_inside_the_text(server: ModelServer) -> None:
    whole = _event("maçã\u2028🍏", "stop")
    answer = await ask(server, _raw(*(whole[at : at + 1] for at in range(len(whole)))))
    assert answer.text == "maçã\u2028🍏"


async def test_a_surrogate_pair_that_is_split_over_chunks_is_joined(server: ModelServer) -> None:
    first = b'data: {"choices": [{"delta": {"content": "a\\ud83c"}}]}\n\n'
    second = b'data: {"choices": [{"delta": {"content": "\\udf4fb"}, "finish_reason": "stop"}]}\n\n'
    answer = await ask(server, _raw(first, second))
    assert answer.text == answer.reception.text == "a🍏b"


async def test_what_no_database_takes_is_replaced(server: ModelServer) -> None:
    event = b'data: {"choices": [{"delta": {"content": "a\\u0000b\\ud83c"}, "finish_reason": "stop"}]}\n\n'
    assert (await ask(server, _raw(event))).text == "a\ufffdb\ufffd"


async def test_a_byte_order_mark_and_a_latin_header_change_nothing(server: ModelServer) -> None:
    reply = _raw(b"\xef\xbb\xbf" + _event("maçã", "stop"))
    reply.content_type = "text/event-stream; charset=iso-8859-1"
    assert (await ask(server, reply)).text == "maçã"


async def test_a_stream_without_its_media_type_is_read(server: ModelServer) -> None:
    assert (await ask(server, Reply(text="still fine", content_type=""))).text == "still fine"


async def test_a_whole_document_instead_of_a_stream_is_taken(server: ModelServer) -> None:
    answer = await ask(server, Reply(text="at once", is_whole=True))
    assert (answer.text, answer.reception.usage) == ("at once", EXACT)


async def test_an_html_page_with_200_is_no_models_answer(server: ModelServer) -> None:
    answer = await ask(server, Reply(body="<html><h1>Welcome to the hotel</h1></html>", content_type="text/html"))
    assert answer.code is ErrorCode.NOT_A_MODEL_ANSWER
    assert "Welcome to the hotel" in str(answer.failure and answer.failure.diagnosis)


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


async def test_length_inside_a_tool_call_is_said_in_the_finish(server: ModelServer) -> None:
    call = ToolCall(name="note_down", arguments='{"city": "San Fra', index=0)
    answer = await ask(server, Reply(tool_calls=[call], finish="length"))
    assert (answer.reception.finish, answer.arguments) == (FinishReason.LENGTH, ['{"city": "San Fra'])


@pytest.mark.parametrize("pieces", [1, 4000])
async def test_two_megabytes_of_arguments_in_linear_time(server: ModelServer, pieces: int) -> None:
    call = ToolCall(name="note_down", arguments="x" * 2_000_000, index=0, pieces=pieces)
    began = time.monotonic()
    answer = await ask(server, Reply(tool_calls=[call]))
    assert len(answer.arguments[0]) == 2_000_000
    assert time.monotonic() - began < 10


# Refusals


STATUSES = [
    (400, {}, ErrorCode.REQUEST_REJECTED),
    (400, {"code": "context_length_exceeded"}, ErrorCode.CONTEXT_TOO_LARGE),
    (400, {"code": "content_filter"}, ErrorCode.CONTENT_FILTERED),
    (401, {"code": "invalid_api_key"}, ErrorCode.CREDENTIAL_REJECTED),
    (402, {}, ErrorCode.PAYMENT_REQUIRED),
    (403, {}, ErrorCode.CREDENTIAL_REJECTED),
    (403, {"code": "model_not_allowed"}, ErrorCode.MODEL_NOT_ALLOWED),
    (404, {"code": "model_not_found"}, ErrorCode.MODEL_NOT_FOUND),
    (410, {}, ErrorCode.MODEL_NOT_FOUND),
    (413, {}, ErrorCode.CONTEXT_TOO_LARGE),
    (422, {}, ErrorCode.REQUEST_REJECTED),
    (429, {"type": "tokens", "code": "rate_limit_exceeded"}, ErrorCode.RATE_LIMITED),
    (429, {"type": "insufficient_quota", "code": "insufficient_quota"}, ErrorCode.PAYMENT_REQUIRED),
    (500, {}, ErrorCode.PROVIDER_UNAVAILABLE),
    (503, {}, ErrorCode.PROVIDER_UNAVAILABLE),
    (529, {"type": "overloaded_error"}, ErrorCode.PROVIDER_UNAVAILABLE),
    (418, {"type": "teapot"}, ErrorCode.UNKNOWN_FAILURE),
]


@pytest.mark.parametrize(("status", "error", "code"), STATUSES)
async def test_a_refusal_is_classified_by_status_type_and_code(
    server: ModelServer, status: int, error: dict[str, str], code: ErrorCode
) -> None:
    words = json.dumps({"error": {"message": "anything at all", **error}})
    answer = await ask(server, Reply(status=status, body=words, content_type="application/json"))
    assert answer.code is code
    assert answer.failure is not None
    assert "anything at all" in answer.failure.diagnosis
    assert answer.reception.is_rejected


async def test_an_html_page_with_an_error_status_keeps_the_status(server: ModelServer) -> None:
    answer = await ask(server, Reply(status=502, body="<html>Bad gateway</html>", content_type="text/html"))
    assert answer.code is ErrorCode.PROVIDER_UNAVAILABLE


async def test_retry_after_is_read_from_the_refusal(server: ModelServer) -> None:
    answer = await ask(server, Reply(status=429, body="{}", headers={"retry-after-ms": "1500"}))
    assert answer.failure is not None
    assert answer.failure.retry_after_s == 1.5


async def test_a_redirect_is_not_followed(server: ModelServer) -> None:
    answer = await ask(server, Reply(status=302, body="", headers={"location": "http://169.254.169.254/"}))
    assert answer.code is ErrorCode.UNKNOWN_FAILURE
    assert len(server.requests) == 1


async def test_nobody_listening_is_unreachable_and_nothing_was_sent(server: ModelServer) -> None:
    with ModelServer() as other:
        url = other.url
    answer = await ask_at(url)
    assert answer.code is ErrorCode.PROVIDER_UNREACHABLE
    assert answer.failure is not None
    assert not answer.failure.was_sent


async def test_a_connection_that_breaks_before_headers_is_unreachable_but_was_sent(server: ModelServer) -> None:
    answer = await ask(server, Reply(is_dropped=True))
    assert answer.code is ErrorCode.PROVIDER_UNREACHABLE
    assert answer.failure is not None
    assert answer.failure.was_sent


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


@pytest.mark.parametrize("is_streamed", [True, False])
async def test_an_answer_in_one_piece_is_the_same_answer(server: ModelServer, is_streamed: bool) -> None:
    calls = [ToolCall(name="note_down", arguments='{"a": 1}', index=0)]
    answer = await ask(server, Reply(text="said", tool_calls=calls, cached_tokens=10), is_streamed=is_streamed)
    assert (answer.text, answer.arguments) == ("said", ['{"a": 1}'])
    assert answer.reception.usage == Usage(uncached_input=990, cache_read=10, output=50)


async def test_body_bytes_is_the_size_of_the_request(server: ModelServer) -> None:
    provider, target = OpenAICompatible(), Target(server.url, "fake", KEY)
    call = a_call("maçã " * 100)
    server.play(Reply(text="ok"))
    async for _ in provider.stream(call, target, Reception(), 1, is_streamed=True):
        pass
    sent = int(server.requests[0].headers["content-length"])
    assert abs(provider.body_bytes(call, target) - sent) <= 20
