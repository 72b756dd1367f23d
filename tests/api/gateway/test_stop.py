"""F4: Stop closes the provider's socket in every phase, once, and leaves its papers in one transaction."""

import asyncio
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from api.rooms.agent_sessions import selectors as log
from api.rooms.budgets import selectors as budgets
from api.rooms.budgets.models import Hold, TokenUsage
from api.rooms.gateway import services as gateway
from api.rooms.gateway.models import Call
from api.rooms.gateway.services import registry
from api.rooms.turns.services.stopping import stop
from contracts.events import AgentResponse, TurnStopReceipt
from contracts.failures import ErrorCode
from contracts.routes.model import Final
from contracts.vocabulary import FinishReason
from tests.api.gateway.scene import Heard, Scene, db, hear, last
from tests.fakes.model_server import ModelServer, Recorded, Reply

CLOSE_S = 0.5
"""50 ms on a quiet machine."""

STOPPER = """
import sys, time, uuid, django
django.setup()
from api.rooms.turns.services.stopping import stop
assert stop(*map(uuid.UUID, sys.argv[1:]))
print(time.monotonic(), flush=True)
time.sleep(1)
"""
"""Another process of the api: says when its Stop was committed, and stays as an api does."""
PHASES = {
    "before headers": Reply(hang="before_headers"),
    "before the body": Reply(hang="before_body"),
    "mid-stream": Reply(text="one two three four five", hang="after", after=4),
}


async def _until(server: ModelServer, holds: Callable[[list[Recorded]], bool]) -> None:
    await asyncio.to_thread(server.wait_for, holds)


async def _stop_while(
    scene: Scene, server: ModelServer, calling: Awaitable[Any], pieces: int
) -> tuple[Any, float, Recorded]:
    """Stop once this many pieces are out; the outcome, and the seconds from the commit to the socket's close."""
    task = asyncio.ensure_future(calling)
    await _until(server, lambda seen: bool(seen) and seen[0].pieces_sent >= pieces)
    await asyncio.sleep(0.05)
    await db(stop)(scene.session_id, scene.user_id)
    at = time.monotonic()
    outcome = await asyncio.wait_for(task, 5)
    await _until(server, lambda seen: seen[0].closed_at is not None)
    closed_at = server.requests[0].closed_at
    assert closed_at is not None
    return outcome, closed_at - at, server.requests[0]


@pytest.mark.parametrize("phase", PHASES)
async def test_stop_closes_the_stream_in_every_phase(served: Scene, server: ModelServer, phase: str) -> None:
    reply = PHASES[phase]
    server.play(reply)
    heard, took, _ = await _stop_while(served, server, hear(served, served.call()), reply.after)
    assert isinstance(heard, Heard)
    assert took < CLOSE_S
    assert heard.final.finish is FinishReason.CUT
    assert heard.final.error is not None
    assert heard.final.error.code is ErrorCode.CANCELLED_BY_USER


async def test_stop_closes_a_call_that_is_not_streamed(served: Scene, server: ModelServer) -> None:
    server.play(Reply(hang="before_headers"))
    final, took, _ = await _stop_while(served, server, gateway.complete(served.instance_id, served.call()), 0)
    assert isinstance(final, Final)
    assert took < CLOSE_S
    assert final.finish is FinishReason.CUT


async def test_stop_leaves_partial_text_usage_and_receipt(served: Scene, server: ModelServer) -> None:
    server.play(PHASES["mid-stream"])
    await _stop_while(served, server, hear(served, served.call()), 4)
    types = [event.payload.type for event in (await db(log.events)(served.session_id, 0, 50)).events]
    assert types == ["session.opened", "agent.error", "turn.ended", "agent.response", "turn.stop_receipt"]
    partial = await last(served, AgentResponse)
    assert partial == AgentResponse(turn_id=served.turn_id, iteration=0, content="one two three ", is_partial=True)
    receipt = await last(served, TurnStopReceipt)
    row = await db(TokenUsage.objects.get)()
    assert (row.outcome, row.is_estimated) == ("cancelled", True)
    assert receipt.usage.uncached_input == row.uncached_input > 0
    assert receipt.cost_micros == row.cost_micros
    assert receipt.calls_after == 0
    assert receipt.close_ms < 1000 * CLOSE_S
    assert [node.held_micros for node in await db(budgets.budget_of)(served.place)] == [0, 0, 0]


async def test_stop_before_any_text_writes_no_empty_answer(served: Scene, server: ModelServer) -> None:
    server.play(Reply(hang="before_headers"))
    await _stop_while(served, server, hear(served, served.call()), 0)
    assert await db(log.last_of_type)(served.session_id, "agent.response") is None
    assert await db(log.last_of_type)(served.session_id, "turn.stop_receipt") is not None


async def test_a_call_that_is_not_for_people_leaves_only_the_receipt(served: Scene, server: ModelServer) -> None:
    server.play(PHASES["mid-stream"])
    await _stop_while(served, server, hear(served, served.call(is_for_people=False)), 4)
    assert await db(log.last_of_type)(served.session_id, "agent.response") is None
    assert await db(log.last_of_type)(served.session_id, "turn.stop_receipt") is not None


async def test_stop_pressed_five_times_is_one_stop(served: Scene, server: ModelServer) -> None:
    server.play(PHASES["mid-stream"])
    task = asyncio.ensure_future(hear(served, served.call()))
    await _until(server, lambda seen: bool(seen) and seen[0].pieces_sent >= 4)
    for _ in range(5):
        await db(stop)(served.session_id, served.user_id)
    await asyncio.wait_for(task, 5)
    assert len(await db(log.events_of_types)(served.session_id, ("turn.stop_receipt",))) == 1
    assert await db(TokenUsage.objects.count)() == 1
    assert len(server.requests) == 1


async def test_stop_ends_the_wait_between_two_tries(served: Scene, server: ModelServer) -> None:
    server.play(Reply(status=429, body="{}", headers={"retry-after": "20"}))
    task = asyncio.ensure_future(hear(served, served.call()))
    await _until(server, lambda seen: bool(seen) and seen[0].is_answered)
    await asyncio.sleep(0.2)
    await db(stop)(served.session_id, served.user_id)
    heard = await asyncio.wait_for(task, 2)
    assert heard.final.finish is FinishReason.CUT
    assert heard.notices[0].code is ErrorCode.RATE_LIMITED
    assert len(server.requests) == 1
    assert sorted(await db(list)(Hold.objects.values_list("status", flat=True))) == ["released", "settled"]
    assert await db(log.last_of_type)(served.session_id, "turn.stop_receipt") is not None


async def test_a_stop_in_another_process_is_seen_by_the_mark(served: Scene, server: ModelServer) -> None:
    """Only the mark reaches us: the owner looks each second."""
    server.play(PHASES["mid-stream"])
    task = asyncio.ensure_future(hear(served, served.call()))
    await _until(server, lambda seen: bool(seen) and seen[0].pieces_sent >= 4)
    await db(_mark_only)(served)
    heard = await asyncio.wait_for(task, 3)
    assert heard.final.finish is FinishReason.CUT
    assert await db(log.last_of_type)(served.session_id, "turn.stop_receipt") is not None


def _mark_only(scene: Scene) -> None:
    from django.db import transaction

    from api.rooms.agent_sessions import services as agent_sessions
    from api.rooms.kernel.clock import now

    with transaction.atomic():
        agent_sessions.lock(scene.session_id)
        assert len(gateway.mark_stopped(scene.turn_id, now())) == 1


async def test_a_stop_in_another_process_cuts_at_once(
    served: Scene, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """NOTIFY hurries where the owner would look only in half a minute."""
    monkeypatch.setattr(registry, "TICK_S", 30.0)
    server.play(PHASES["mid-stream"])
    task = asyncio.ensure_future(hear(served, served.call()))
    await _until(server, lambda seen: bool(seen) and seen[0].pieces_sent >= 4)
    command = [sys.executable, "-c", STOPPER, str(served.session_id), str(served.user_id)]
    told = await asyncio.to_thread(subprocess.check_output, command)
    heard = await asyncio.wait_for(task, 3)
    assert heard.final.finish is FinishReason.CUT
    assert (server.requests[0].closed_at or 0) - float(told) < CLOSE_S


async def test_a_stop_against_the_final_frame_gives_one_ending(served: Scene, server: ModelServer) -> None:
    """Whoever commits first wins: then either the answer stands without a receipt of ours, or it is a partial one."""
    for _ in range(5):
        server.play(Reply(text="a quick answer"))
    task = asyncio.ensure_future(hear(served, served.call()))
    await _until(server, bool)
    await db(stop)(served.session_id, served.user_id)
    await asyncio.gather(task, return_exceptions=True)
    await registry.settled()
    assert len(await db(log.events_of_types)(served.session_id, ("turn.stop_receipt",))) == 1
    assert await db(TokenUsage.objects.count)() == 1
    assert await db(Call.objects.filter(status="open").count)() == 0


@pytest.mark.parametrize("phase", PHASES)
async def test_a_consumer_that_goes_away_closes_the_stream_and_is_metered(
    served: Scene, server: ModelServer, phase: str
) -> None:
    reply = PHASES[phase]
    server.play(reply)
    task = asyncio.ensure_future(hear(served, served.call()))
    await _until(server, lambda seen: bool(seen) and seen[0].pieces_sent >= reply.after)
    await asyncio.sleep(0.05)
    at = time.monotonic()
    task.cancel()
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    await registry.settled()
    await _until(server, lambda seen: seen[0].closed_at is not None)
    closed_at = server.requests[0].closed_at
    assert closed_at is not None
    assert closed_at - at < CLOSE_S
    row = await db(TokenUsage.objects.get)()
    assert (row.outcome, row.is_estimated) == ("cancelled", True)
    assert row.uncached_input > 0
