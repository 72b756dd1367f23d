"""Real calls to servers that nobody here wrote, through the whole gateway and through each provider's other doors."""

import asyncio
import time
from typing import Any

import httpx
import pytest

from api.rooms.budgets.models import Hold, TokenUsage
from api.rooms.gateway.domain.listing import KeyVerdict
from api.rooms.gateway.domain.reception import Reception
from api.rooms.gateway.providers import PROVIDERS, ProviderFailure, Target
from api.rooms.gateway.services.catalogue import ModelSpec
from contracts.failures import ErrorCode
from contracts.routes.model import ModelMessage, ToolSpec
from contracts.vocabulary import FinishReason, MessageRole
from tests.api.gateway.scene import CENT_A_THOUSAND, Heard, Scene, db, hear
from tests.peers.peers import LLAMA, LLMOCK, PEERS, Peer

CLOSE_SECONDS = 0.5
WEATHER = ToolSpec(
    name="get_weather",
    description="The weather in a city.",
    parameters={"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
)

every_peer = pytest.mark.parametrize("peer", PEERS, ids=lambda peer: peer.name)
every_llmock = pytest.mark.parametrize("peer", LLMOCK, ids=lambda peer: peer.name)


async def talk(scene: Scene, peer: Peer, address: str, **changes: Any) -> Heard:
    await db(scene.bind)(ModelSpec(peer.provider, peer.model, address), CENT_A_THOUSAND, secret=peer.secret)
    return await hear(scene, scene.call("Say hello to the baker.", **{"max_output_tokens": 12, **changes}))


async def script(llmock: str, *behaviours: dict[str, Any]) -> None:
    """What llmock does to the calls that follow."""
    async with httpx.AsyncClient() as http:
        (await http.post(f"{llmock}/_llmock/reset")).raise_for_status()
        (await http.post(f"{llmock}/_llmock/scenario", json={"behaviors": list(behaviours)})).raise_for_status()


@every_peer
async def test_a_streamed_call_is_answered_metered_and_paid(scene: Scene, peer: Peer, address: str) -> None:
    heard = await talk(scene, peer, address)
    row = await db(TokenUsage.objects.get)()
    assert heard.final.error is None
    assert heard.text == heard.final.message.content != ""
    assert len(heard.deltas) > 1
    assert (row.is_estimated, row.output > 0) == (False, True)
    assert row.cost_micros == 10 * (row.uncached_input + row.output) + row.cache_read
    assert await db(list)(Hold.objects.values_list("status", flat=True)) == ["settled"]


@every_peer
async def test_an_answer_in_one_piece(scene: Scene, peer: Peer, address: str) -> None:
    reception, target = Reception(), Target(address, peer.model, peer.secret)
    call = scene.call("Say hello.", max_output_tokens=8)
    stream = PROVIDERS[peer.provider].stream(call, target, reception, 1, is_streamed=False)
    pieces = [piece async for piece in stream]
    assert "".join(pieces) == reception.text != ""
    assert reception.usage is not None
    assert reception.finish in {FinishReason.STOP, FinishReason.LENGTH}


@every_peer
async def test_a_cancelled_call_ends_at_once_and_the_next_one_is_answered(
    scene: Scene, peer: Peer, address: str
) -> None:
    reception, target = Reception(), Target(address, peer.model, peer.secret)
    call = scene.call("Count as far as you can.", max_output_tokens=400)
    heard = asyncio.Event()
    stream = PROVIDERS[peer.provider].stream(call, target, reception, 1, is_streamed=True)
    reading = asyncio.ensure_future(_drain(stream, heard))
    async with asyncio.timeout(60):
        await heard.wait()
    began = time.monotonic()
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    assert time.monotonic() - began < CLOSE_SECONDS
    assert (await talk(scene, peer, address)).final.error is None


async def _drain(stream: Any, heard: asyncio.Event | None = None) -> None:
    async for _ in stream:
        if heard is not None:
            heard.set()


@every_peer
async def test_its_models_are_listed(peer: Peer, address: str) -> None:
    listed = await PROVIDERS[peer.provider].list_models(Target(address, "", peer.secret))
    known = {model.name: model.context_tokens for model in listed}
    assert peer.model in known
    assert known[peer.model] == peer.context_tokens


@every_peer
async def test_a_key_is_accepted_or_cannot_be_tested(peer: Peer, address: str) -> None:
    answer = await PROVIDERS[peer.provider].check_key(Target(address, "", peer.secret))
    assert answer.verdict is (KeyVerdict.ACCEPTED if peer.checks_keys else KeyVerdict.UNSUPPORTED)


@pytest.mark.parametrize("peer", [LLAMA], ids=lambda peer: peer.name)
async def test_a_wrong_key_is_refused(scene: Scene, peer: Peer, address: str) -> None:
    target = Target(address, peer.model, "sk-wrong")
    assert (await PROVIDERS[peer.provider].check_key(target)).code is ErrorCode.CREDENTIAL_REJECTED
    with pytest.raises(ProviderFailure) as refused:
        await _drain(PROVIDERS[peer.provider].stream(scene.call(), target, Reception(), 1, is_streamed=True))
    assert refused.value.code is ErrorCode.CREDENTIAL_REJECTED


@every_llmock
async def test_a_tool_is_called_and_its_result_taken(scene: Scene, peer: Peer, address: str) -> None:
    asked = await talk(scene, peer, address, tools=(WEATHER,), max_output_tokens=60)
    (call,) = asked.final.message.tool_calls
    assert (call.name, asked.final.finish) == ("get_weather", FinishReason.TOOL_CALLS)
    messages = (
        ModelMessage(role=MessageRole.USER, content="The weather?"),
        asked.final.message,
        ModelMessage(role=MessageRole.TOOL, content="21 degrees", tool_call_id=call.id),
    )
    told = await hear(scene, scene.call(tools=(WEATHER,), messages=messages, step=2))
    assert told.final.error is None
    assert told.text != ""


@every_llmock
async def test_a_rate_limit_is_waited_for_and_tried_again(scene: Scene, peer: Peer, address: str, llmock: str) -> None:
    await script(llmock, {"type": "fail", "status": 429, "retry_after": 1, "times": 1})
    began = time.monotonic()
    heard = await talk(scene, peer, address)
    assert heard.final.error is None
    assert time.monotonic() - began >= 1
    async with httpx.AsyncClient() as http:
        verdict = (await http.get(f"{llmock}/_llmock/verdict?format=text")).text
    assert "FAIL" not in verdict, verdict


@every_llmock
@pytest.mark.parametrize("kind", ["truncate", "disconnect", "malformed"])
async def test_a_broken_stream_is_told_once_and_never_taken_for_an_answer(
    scene: Scene, peer: Peer, address: str, llmock: str, kind: str
) -> None:
    await script(llmock, {"type": "stream_fault", "kind": kind, "after_chunks": 3 + peer.opening})
    heard = await talk(scene, peer, address)
    expected = ErrorCode.UNKNOWN_FAILURE if kind == "malformed" else ErrorCode.STREAM_INCOMPLETE
    assert heard.final.error is not None
    assert heard.final.error.code is expected
    assert (await db(TokenUsage.objects.get)()).is_estimated
