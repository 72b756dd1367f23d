"""Every call has one usage row, also when it failed, was cut, or reported nothing (F14, law 4)."""

import pytest

from api.rooms.budgets import services as budgets
from api.rooms.budgets.domain.places import Place
from api.rooms.budgets.models import Hold, TokenUsage
from api.rooms.gateway import services as gateway
from api.rooms.gateway.models import Call
from api.rooms.gateway.services.catalogue import ModelSpec
from api.rooms.gateway.services.measuring import REFUSED
from contracts.failures import ErrorCode
from contracts.vocabulary import FinishReason
from tests.api.gateway.scene import CENT_A_THOUSAND, Scene, db, hear
from tests.fakes.model_server import ModelServer, Reply, ToolCall

STREAMS = {
    "usage in the last chunk": (Reply(text="one two three"), False),
    "no usage": (Reply(text="one two three", usage="none"), True),
    "all zeros": (Reply(text="one two three", usage="zeros"), True),
    "cut before the end": (Reply(text="one two three", usage="none", cut="close", after=3, delay_ms=10), True),
    "only a tool call, no usage": (Reply(tool_calls=[ToolCall(name="x", arguments='{"a": 1}')], usage="none"), True),
    "only reasoning, no usage": (Reply(reasoning="let me think about it", usage="none"), True),
}


@pytest.mark.parametrize("kind", STREAMS)
async def test_usage_is_exact_or_estimated_and_never_zero(served: Scene, server: ModelServer, kind: str) -> None:
    reply, is_estimated = STREAMS[kind]
    server.play(reply)
    heard = await hear(served, served.call())
    row = await db(TokenUsage.objects.get)()
    assert row.is_estimated is is_estimated
    assert row.uncached_input > 0
    assert row.output > 0
    assert row.cost_micros == 10 * (row.uncached_input + row.output)
    assert heard.final.bill is not None
    assert heard.final.bill.cost_micros == row.cost_micros
    assert heard.final.bill.usage.estimated is is_estimated


async def test_a_stream_that_breaks_keeps_its_partial_text_in_the_final_frame(
    served: Scene, server: ModelServer
) -> None:
    server.play(STREAMS["cut before the end"][0])
    final = (await hear(served, served.call())).final
    assert final.error is not None
    assert final.error.code is ErrorCode.STREAM_INCOMPLETE
    assert (final.finish, final.message.content) == (FinishReason.ERROR, "one two ")


async def test_a_refused_request_used_nothing_and_has_its_row(served: Scene, server: ModelServer) -> None:
    server.play(Reply(status=400, body='{"error": {"message": "no"}}', content_type="application/json"))
    await hear(served, served.call())
    row = await db(TokenUsage.objects.get)()
    assert (row.outcome, row.error_code, row.cost_micros) == ("failed", "request_rejected", 0)


async def test_nothing_is_spent_when_nothing_was_sent(served: Scene, server: ModelServer) -> None:
    await db(_break_the_credential)()
    final = (await hear(served, served.call())).final
    assert final.error is not None
    assert final.error.code is ErrorCode.CREDENTIAL_UNREADABLE
    assert await db(list)(Hold.objects.values_list("status", flat=True)) == ["released"]
    assert await db(TokenUsage.objects.count)() == 0
    assert server.requests == []


def _break_the_credential() -> None:
    from api.rooms.gateway.models import Credential

    Credential.objects.update(sealed="gAAAAA-not-sealed-by-us")


async def test_cached_input_is_billed_at_its_own_rate(served: Scene, server: ModelServer) -> None:
    server.play(Reply(text="hi", prompt_tokens=1000, cached_tokens=600, completion_tokens=10))
    final = (await hear(served, served.call())).final
    assert final.bill is not None
    assert final.bill.cost_micros == 400 * 10 + 600 * 1 + 10 * 10


async def test_an_unpriced_model_is_refused_under_any_limit_and_costs_null_without_one(
    served: Scene, server: ModelServer
) -> None:
    await db(served.bind)(ModelSpec("openai_compatible", "nobody-knows", server.url))
    await db(budgets.set_limit)(Place(served.workspace_id), 10**9)
    refused = (await hear(served, served.call())).final
    assert refused.error is not None
    assert refused.error.code is ErrorCode.MODEL_UNPRICED
    assert refused.error.facts["node"] == "workspace"
    await db(budgets.set_limit)(Place(served.workspace_id), None)
    server.play(Reply(text="hi"))
    final = (await hear(served, served.call())).final
    assert final.bill is not None
    assert final.bill.cost_micros is None


async def test_the_budget_refusal_names_the_node_what_was_needed_and_what_is_left(
    served: Scene, server: ModelServer
) -> None:
    await db(budgets.set_limit)(Place(served.workspace_id, served.project_id), 1_500)
    counted = REFUSED.labels("budget_exceeded", "project")
    before = counted._value.get()
    final = (await hear(served, served.call())).final
    assert counted._value.get() == before + 1
    assert final.error is not None
    facts = final.error.facts
    assert final.error.code is ErrorCode.BUDGET_EXCEEDED
    assert (facts["node"], facts["left_micros"], facts["limit_micros"]) == ("project", "1500", "1500")
    assert int(facts["needed_micros"]) > 1_500
    assert server.requests == []


async def test_a_price_change_leaves_what_was_spent_alone(served: Scene, server: ModelServer) -> None:
    server.play(Reply(text="hi"))
    await hear(served, served.call())
    before = (await db(TokenUsage.objects.get)()).cost_micros
    model_id = await db(served.bind)(ModelSpec("openai_compatible", "fake", server.url))
    await db(gateway.set_price)(served.workspace_id, model_id, CENT_A_THOUSAND)
    assert (await db(TokenUsage.objects.get)()).cost_micros == before


async def test_the_wires_ids_are_kept_aside(served: Scene, server: ModelServer) -> None:
    server.play(Reply(tool_calls=[ToolCall(name="x", id="dup", index=0), ToolCall(name="y", id="dup", index=1)]))
    final = (await hear(served, served.call())).final
    assert len({call.id for call in final.message.tool_calls}) == 2
    assert (await db(Call.objects.get)()).wire_ids == ["dup", "dup"]


async def test_a_refusal_of_the_model_and_a_filter_are_errors_with_their_own_words(
    served: Scene, server: ModelServer
) -> None:
    server.play(Reply(refusal="I will not."), Reply(text="half", finish="content_filter"))
    refused = (await hear(served, served.call())).final
    filtered = (await hear(served, served.call(step=2))).final
    assert refused.error is not None
    assert filtered.error is not None
    assert (refused.error.code, refused.error.diagnosis) == (ErrorCode.REFUSAL, "I will not.")
    assert filtered.error.code is ErrorCode.CONTENT_FILTERED
