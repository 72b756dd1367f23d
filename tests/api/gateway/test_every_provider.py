"""The suite that every provider passes (F14 among it): what streams in the wild do, in each wire format."""

import asyncio
import gzip
import json
import time
from itertools import pairwise
from typing import Any, Literal

import pytest

from api.rooms.gateway.domain.listing import KeyVerdict
from api.rooms.gateway.domain.reception import Reception
from api.rooms.gateway.providers import PROVIDERS, ProviderFailure, Target
from contracts.failures import ErrorCode
from contracts.money import Usage
from contracts.routes.model import ModelMessage, ModelToolCall
from contracts.vocabulary import FinishReason, MessageRole
from tests.api.gateway.asking import KEY, TOOL, a_call
from tests.api.gateway.dialects import DIALECTS, Dialect
from tests.fakes.model_server import ModelServer, Reply, ToolCall
from tests.fakes.model_server.wires import wire_of

EXACT = Usage(uncached_input=1000, output=50)
CLOSE_SECONDS = 0.5
"""Ten times the figure that is measured."""
PATHS = {"openai_compatible": "/chat/completions", "anthropic": "/messages", "gemini": ":streamGenerateContent"}


@pytest.fixture(params=DIALECTS, ids=lambda dialect: dialect.name)
def dialect(request: pytest.FixtureRequest) -> Dialect:
    """Each wire format in turn."""
    found: Dialect = request.param
    return found


def can(dialect: Dialect, kind: str) -> bool:
    return kind not in dialect.cannot


def at(document: Any, path: tuple[str, ...]) -> Any:
    for name in path:
        document = document[int(name)] if isinstance(document, list) else document[name]
    return document


def raw(dialect: Dialect, reply: Reply) -> bytes:
    """The whole stream of a reply as bytes."""
    wire = wire_of(PATHS[dialect.name])
    done = [wire.DONE] if wire.DONE is not None else []
    return b"".join(wire.event(each, reply) for each in [*wire.chunks(reply), *done])


def test_every_provider_but_the_rehearsal_is_in_the_suite() -> None:
    assert {dialect.name for dialect in DIALECTS} == {name for name, each in PROVIDERS.items() if not each.is_rehearsal}


# What is asked


async def test_the_request_limits_the_output_carries_the_key_in_its_header_and_the_system_prompt_apart(
    dialect: Dialect, server: ModelServer
) -> None:
    said = (ModelMessage(role=MessageRole.SYSTEM, content="Be brief."), *a_call().messages)
    await dialect.ask(server, Reply(text="hi"), call=a_call().model_copy(update={"messages": said}))
    request = server.requests[0]
    assert at(request.body, dialect.limit) == 77
    assert at(request.body, dialect.system) == "Be brief."
    assert request.headers[dialect.key_header] == dialect.key_value
    assert KEY not in request.path
    assert TOOL.name in json.dumps(request.body)


async def test_a_whole_conversation_travels_with_calls_and_results(dialect: Dialect, server: ModelServer) -> None:
    """Results of one answer's calls come together, and no message without content is sent."""
    asked = tuple(ModelToolCall(id=f"call{n}abcd", name=TOOL.name, arguments=f'{{"n": {n}}}') for n in range(2))
    messages = (
        ModelMessage(role=MessageRole.SYSTEM, content="S"),
        ModelMessage(role=MessageRole.ASSISTANT, content="Welcome."),
        ModelMessage(role=MessageRole.USER, content="Note two things."),
        ModelMessage(role=MessageRole.ASSISTANT, tool_calls=asked),
        *(ModelMessage(role=MessageRole.TOOL, content=f"noted {n}", tool_call_id=f"call{n}abcd") for n in range(2)),
        ModelMessage(role=MessageRole.USER, content="Thanks."),
    )
    answer = await dialect.ask(server, Reply(text="ok"), call=a_call().model_copy(update={"messages": messages}))
    sent = json.dumps(server.requests[0].body)
    assert answer.text == "ok"
    assert [sent.count(word) for word in ("Welcome.", "Thanks.", "noted 0", "noted 1")] == [1, 1, 1, 1]
    if dialect.name != "openai_compatible":
        turns = server.requests[0].body.get("messages") or server.requests[0].body["contents"]
        roles = [turn["role"] for turn in turns]
        assert all(one != other for one, other in pairwise(roles))
        assert all(turn.get("content") or turn.get("parts") for turn in turns)


async def test_body_bytes_is_the_size_of_the_request(dialect: Dialect, server: ModelServer) -> None:
    call, target = a_call("maçã " * 100), Target(dialect.url(server), "fake", KEY)
    await dialect.ask(server, Reply(text="ok"), call=call)
    sent = int(server.requests[0].headers["content-length"])
    assert abs(dialect.provider.body_bytes(call, target) - sent) <= 20


# Usage


@pytest.mark.parametrize("kind", ["last_chunk", "with_finish", "every_chunk"])
async def test_f14_usage_is_read_wherever_it_comes(
    dialect: Dialect, server: ModelServer, kind: Literal["last_chunk", "with_finish", "every_chunk"]
) -> None:
    assert (await dialect.ask(server, Reply(text="one two three", usage=kind))).reception.usage == EXACT


@pytest.mark.parametrize("kind", ["zeros", "none"])
async def test_f14_no_usage_and_all_zeros_are_no_report(
    dialect: Dialect, server: ModelServer, kind: Literal["zeros", "none"]
) -> None:
    answer = await dialect.ask(server, Reply(text="one two three", usage=kind))
    assert (answer.text, answer.reception.usage) == ("one two three", None)


async def test_the_buckets_are_disjoint(dialect: Dialect, server: ModelServer) -> None:
    """uncached + cache read + cache write = input, whatever the provider counts into what."""
    reply = Reply(text="hi", cached_tokens=900, reasoning_tokens=30, reasoning="let me think")
    answer = await dialect.ask(server, reply)
    reasoning = 30 if can(dialect, "reasoning_tokens") else 0
    assert answer.reception.usage == Usage(uncached_input=100, cache_read=900, output=50, reasoning=reasoning)
    assert answer.text == "hi"
    assert answer.reception.unseen_bytes > 0


# Ends


async def test_a_finish_reason_alone_is_complete(dialect: Dialect, server: ModelServer) -> None:
    answer = await dialect.ask(server, Reply(text="all of it", has_done=False))
    assert (answer.text, answer.failure, answer.reception.finish) == ("all of it", None, FinishReason.STOP)


async def test_the_word_for_the_end_alone_is_complete(dialect: Dialect, server: ModelServer) -> None:
    answer = await dialect.ask(server, Reply(text="all of it", finish=None))
    expected = None if can(dialect, "done") else ErrorCode.STREAM_INCOMPLETE
    assert (answer.text, answer.code) == ("all of it", expected)


async def test_neither_is_incomplete_and_keeps_the_partial_text(dialect: Dialect, server: ModelServer) -> None:
    answer = await dialect.ask(server, Reply(text="half of", finish=None, has_done=False, usage="none"))
    assert answer.code is ErrorCode.STREAM_INCOMPLETE
    assert answer.reception.text == "half of"


@pytest.mark.parametrize("how", ["close", "reset"])
async def test_a_connection_that_breaks_in_the_middle_is_incomplete(
    dialect: Dialect, server: ModelServer, how: Literal["close", "reset"]
) -> None:
    answer = await dialect.ask(
        server, Reply(text="one two three four", cut=how, after=dialect.opening + 2, delay_ms=30)
    )
    assert answer.code is ErrorCode.STREAM_INCOMPLETE
    assert "one " in answer.reception.text
    assert "four" not in answer.reception.text


async def test_trailing_garbage_and_a_second_end_spoil_nothing(dialect: Dialect, server: ModelServer) -> None:
    stream = raw(dialect, Reply(text="whole"))
    answer = await dialect.ask(server, Reply(raw=[(stream + b"data: bye!\n\n").hex()]))
    assert (answer.text, answer.failure, answer.reception.usage) == ("whole", None, EXACT)


@pytest.mark.parametrize(("finish", "reason"), [("length", FinishReason.LENGTH), ("stop", FinishReason.STOP)])
async def test_the_reason_of_the_end_is_told(
    dialect: Dialect, server: ModelServer, finish: str, reason: FinishReason
) -> None:
    assert (await dialect.ask(server, Reply(text="so far", finish=finish))).reception.finish is reason


async def test_an_empty_answer_is_no_failure_of_the_wire(dialect: Dialect, server: ModelServer) -> None:
    """Whoever asked decides what nothing means (F16)."""
    answer = await dialect.ask(server, Reply(text=""))
    assert (answer.text, answer.calls, answer.failure) == ("", (), None)


async def test_what_the_model_will_not_say_is_told_apart_from_an_answer(dialect: Dialect, server: ModelServer) -> None:
    refused = await dialect.ask(server, Reply(refusal="No.", finish="content_filter"))
    assert (refused.text, refused.failure) == ("", None)
    assert refused.reception.refusal or refused.reception.finish is FinishReason.CONTENT_FILTER


# Errors in the stream


async def test_an_error_object_as_the_first_event_is_mapped(dialect: Dialect, server: ModelServer) -> None:
    answer = await dialect.ask(server, Reply(first_event=dialect.rate_limited))
    assert answer.code is ErrorCode.RATE_LIMITED
    assert answer.reception.is_rejected


async def test_an_error_object_in_the_middle_keeps_the_partial_text(dialect: Dialect, server: ModelServer) -> None:
    answer = await dialect.ask(
        server, Reply(text="one two three", after=dialect.opening + 2, error_after=dialect.overloaded)
    )
    assert answer.code is ErrorCode.PROVIDER_UNAVAILABLE
    assert answer.reception.text.startswith("one ")
    assert not answer.reception.is_rejected


async def test_an_error_of_an_unknown_shape_is_code(dialect: Dialect, server: ModelServer) -> None:
    answer = await dialect.ask(server, Reply(first_event=dialect.strange))
    assert answer.code is ErrorCode.UNKNOWN_FAILURE
    assert answer.failure is not None
    assert "anything at all" in answer.failure.diagnosis


# Bytes


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
async def test_comments_ids_pings_and_every_newline_are_understood(
    dialect: Dialect, server: ModelServer, newline: Literal["\n", "\r\n", "\r"]
) -> None:
    answer = await dialect.ask(server, Reply(text="plain words", comments=True, newline=newline))
    assert (answer.text, answer.failure) == ("plain words", None)


async def test_characters_split_over_writes_and_a_line_separator_inside(dialect: Dialect, server: ModelServer) -> None:
    stream = raw(dialect, Reply(text="maçã\u2028🍏", pieces=1))
    answer = await dialect.ask(server, Reply(raw=[bytes([byte]).hex() for byte in stream]))
    assert (answer.text, answer.failure) == ("maçã\u2028🍏", None)


async def test_a_byte_order_mark_and_a_latin_header_change_nothing(dialect: Dialect, server: ModelServer) -> None:
    stream = b"\xef\xbb\xbf" + raw(dialect, Reply(text="maçã", pieces=1))
    reply = Reply(raw=[stream.hex()], content_type="text/event-stream; charset=iso-8859-1")
    assert (await dialect.ask(server, reply)).text == "maçã"


async def test_a_compressed_stream_is_read(dialect: Dialect, server: ModelServer) -> None:
    stream = gzip.compress(raw(dialect, Reply(text="maçã", pieces=1)))
    answer = await dialect.ask(server, Reply(raw=[stream.hex()], headers={"content-encoding": "gzip"}))
    assert (answer.text, answer.failure) == ("maçã", None)


async def test_a_stream_without_its_media_type_is_read(dialect: Dialect, server: ModelServer) -> None:
    assert (await dialect.ask(server, Reply(text="still fine", content_type=""))).text == "still fine"


async def test_a_whole_document_instead_of_a_stream_is_taken(dialect: Dialect, server: ModelServer) -> None:
    answer = await dialect.ask(server, Reply(text="at once", is_whole=True))
    assert (answer.text, answer.reception.usage) == ("at once", EXACT)


async def test_an_html_page_with_200_is_no_models_answer(dialect: Dialect, server: ModelServer) -> None:
    page = Reply(body="<html><h1>Welcome to the hotel</h1></html>", content_type="text/html")
    answer = await dialect.ask(server, page)
    assert answer.code is ErrorCode.NOT_A_MODEL_ANSWER
    assert "Welcome to the hotel" in str(answer.failure and answer.failure.diagnosis)


@pytest.mark.parametrize("is_streamed", [True, False])
async def test_no_text_that_a_database_refuses_gets_through(
    dialect: Dialect, server: ModelServer, is_streamed: bool
) -> None:
    answer = await dialect.ask(server, Reply(text="a\x00b", pieces=1), is_streamed=is_streamed)
    assert (answer.text, answer.reception.text) == ("a\ufffdb", "a\ufffdb")


# Tool calls


@pytest.mark.parametrize("is_streamed", [True, False])
async def test_several_calls_beside_a_text_are_the_same_in_one_piece(
    dialect: Dialect, server: ModelServer, is_streamed: bool
) -> None:
    calls = [ToolCall(name=f"tool_{n}", arguments=json.dumps({"n": n}), id=f"x{n}", index=n) for n in range(3)]
    answer = await dialect.ask(server, Reply(text="said", tool_calls=calls), is_streamed=is_streamed)
    assert (answer.text, [call.name for call in answer.calls]) == ("said", ["tool_0", "tool_1", "tool_2"])
    assert [json.loads(text) for text in answer.arguments] == [{"n": 0}, {"n": 1}, {"n": 2}]
    assert len({call.id for call in answer.calls}) == 3
    assert answer.reception.finish is FinishReason.TOOL_CALLS


async def test_the_same_tool_twice_with_the_same_arguments_is_two_calls(dialect: Dialect, server: ModelServer) -> None:
    calls = [ToolCall(name="a", arguments='{"n": 1}', id=f"x{n}", index=n) for n in range(2)]
    assert len((await dialect.ask(server, Reply(tool_calls=calls))).calls) == 2


async def test_length_inside_a_tool_call_is_said_and_nothing_is_repaired(dialect: Dialect, server: ModelServer) -> None:
    cut = '{"city": "San Fra' if can(dialect, "argument_text") else '{"city": "San Francisco"}'
    call = ToolCall(name=TOOL.name, arguments=cut, index=0)
    answer = await dialect.ask(server, Reply(tool_calls=[call], finish="length"))
    assert (answer.reception.finish, answer.arguments) == (FinishReason.LENGTH, [cut])


async def test_two_megabytes_of_arguments_in_one_event(dialect: Dialect, server: ModelServer) -> None:
    arguments = json.dumps({"text": "x" * 2_000_000})
    began = time.monotonic()
    answer = await dialect.ask(server, Reply(tool_calls=[ToolCall(name="a", arguments=arguments, index=0, pieces=1)]))
    assert answer.arguments == [arguments]
    assert time.monotonic() - began < 10


# Refusals of the request


@pytest.mark.parametrize(
    ("dialect", "status", "error", "code"),
    [(dialect, *row) for dialect in DIALECTS for row in dialect.statuses],
    ids=lambda value: getattr(value, "name", str(value)[:40]),
    indirect=["dialect"],
)
async def test_a_refusal_is_classified_by_status_type_and_code(
    dialect: Dialect, server: ModelServer, status: int, error: dict[str, Any], code: ErrorCode
) -> None:
    words = Reply(status=status, body=json.dumps(error), content_type="application/json")
    answer = await dialect.ask(server, words)
    assert answer.code is code
    assert answer.reception.is_rejected
    assert len(server.requests) == 1


async def test_an_html_page_with_an_error_status_keeps_the_status(dialect: Dialect, server: ModelServer) -> None:
    answer = await dialect.ask(server, Reply(status=502, body="<html>Bad gateway</html>", content_type="text/html"))
    assert answer.code is ErrorCode.PROVIDER_UNAVAILABLE


async def test_a_redirect_is_not_followed_and_the_key_stays(dialect: Dialect, server: ModelServer) -> None:
    with ModelServer() as elsewhere:
        answer = await dialect.ask(server, Reply(status=307, body="", headers={"location": elsewhere.url}))
        assert answer.code is ErrorCode.UNKNOWN_FAILURE
        assert (len(server.requests), elsewhere.requests) == (1, [])


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [({"retry-after": "8"}, 8.0), ({"retry-after-ms": "1500"}, 1.5), ({"retry-after": "250ms"}, 0.25)],
)
async def test_retry_after_is_read_from_the_refusal(
    dialect: Dialect, server: ModelServer, headers: dict[str, str], seconds: float
) -> None:
    answer = await dialect.ask(server, Reply(status=429, body="{}", headers=headers))
    assert answer.failure is not None
    assert answer.failure.retry_after_s == seconds


async def test_nobody_listening_is_unreachable_and_nothing_was_sent(dialect: Dialect, server: ModelServer) -> None:
    with ModelServer() as gone:
        pass
    answer = await dialect.ask(gone)
    assert answer.code is ErrorCode.PROVIDER_UNREACHABLE
    assert answer.failure is not None
    assert not answer.failure.was_sent


async def test_a_connection_that_breaks_before_headers_was_sent(dialect: Dialect, server: ModelServer) -> None:
    answer = await dialect.ask(server, Reply(is_dropped=True))
    assert answer.code is ErrorCode.PROVIDER_UNREACHABLE
    assert answer.failure is not None
    assert answer.failure.was_sent


# Cancel


@pytest.mark.parametrize("phase", ["before_headers", "before_body", "after", "whole"])
async def test_closing_the_stream_closes_the_providers_socket_in_every_phase(
    dialect: Dialect, server: ModelServer, phase: str
) -> None:
    sent = dialect.opening + 2
    server.play(Reply(text="one two three", hang="after" if phase == "whole" else phase, after=sent))  # type: ignore[arg-type]
    target = Target(dialect.url(server), "fake", KEY)
    stream = dialect.provider.stream(a_call(), target, Reception(), 1, is_streamed=phase != "whole")
    reading = asyncio.ensure_future(_drain(stream))
    await asyncio.to_thread(
        server.wait_for, lambda seen: bool(seen) and (phase != "after" or seen[0].pieces_sent >= sent)
    )
    began = time.monotonic()
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    await asyncio.to_thread(server.wait_for, lambda seen: seen[0].closed_at is not None)
    assert (server.requests[0].closed_at or 0) - began < CLOSE_SECONDS


async def _drain(stream: Any) -> None:
    async for _ in stream:
        pass


# Models and keys


async def test_models_are_listed_with_what_the_provider_says_of_them(dialect: Dialect, server: ModelServer) -> None:
    server.listing = dialect.listing
    listed = await dialect.provider.list_models(Target(dialect.url(server), "", KEY))
    assert [(model.name, model.context_tokens) for model in listed] == [("small", None), ("large", 64_000)]
    assert server.requests[0].headers[dialect.key_header] == dialect.key_value


@pytest.mark.parametrize("listing", [None, [], {}, "text", {"data": [None, {"id": 7}], "models": [{"name": None}]}])
async def test_a_list_of_nonsense_lists_nothing_or_fails_by_name(
    dialect: Dialect, server: ModelServer, listing: Any
) -> None:
    server.listing = listing
    try:
        assert await dialect.provider.list_models(Target(dialect.url(server), "", KEY)) == ()
    except ProviderFailure as failure:
        assert failure.code is ErrorCode.MODEL_NOT_FOUND  # noqa: PT017 - either is right


@pytest.mark.parametrize(
    ("keys", "secret", "verdict", "code"),
    [
        ({KEY}, KEY, KeyVerdict.ACCEPTED, None),
        ({KEY}, "sk-other", KeyVerdict.REFUSED, ErrorCode.CREDENTIAL_REJECTED),
        (None, KEY, KeyVerdict.UNSUPPORTED, None),
    ],
)
async def test_a_key_test_has_exactly_three_answers(
    dialect: Dialect,
    server: ModelServer,
    keys: set[str] | None,
    secret: str,
    verdict: KeyVerdict,
    code: ErrorCode | None,
) -> None:
    """Accepted, refused with the reason, or unsupported where everybody is answered."""
    server.listing, server.keys = dialect.listing, None if keys is None else frozenset(keys)
    answer = await dialect.provider.check_key(Target(dialect.url(server), "", secret))
    assert (answer.verdict, answer.code) == (verdict, code)


async def test_a_key_test_without_a_route_for_it_is_unsupported(dialect: Dialect, server: ModelServer) -> None:
    answer = await dialect.provider.check_key(Target(dialect.url(server), "", KEY))
    assert answer.verdict is KeyVerdict.UNSUPPORTED


async def test_a_key_test_at_a_dead_address_is_refused_as_infra(dialect: Dialect, server: ModelServer) -> None:
    with ModelServer() as gone:
        pass
    answer = await dialect.provider.check_key(Target(dialect.url(gone), "", KEY))
    assert (answer.verdict, answer.code) == (KeyVerdict.REFUSED, ErrorCode.PROVIDER_UNREACHABLE)
