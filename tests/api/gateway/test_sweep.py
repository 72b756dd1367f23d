"""The sweep against owners that are dead, and against owners that were only slow."""

from dataclasses import replace

from django.db import transaction

from api.rooms.agent_sessions import selectors as log
from api.rooms.agent_sessions import services as agent_sessions
from api.rooms.budgets import selectors as budgets
from api.rooms.budgets.domain.metering import Outcome
from api.rooms.budgets.models import Hold, TokenUsage
from api.rooms.gateway import services as gateway
from api.rooms.gateway.domain.attempts import CallStatus
from api.rooms.gateway.domain.endings import Ending
from api.rooms.gateway.models import Call
from api.rooms.gateway.services import opening, settling
from api.rooms.gateway.services.opened import Opened
from api.rooms.kernel.clock import now
from api.rooms.kernel.ids import new_id
from contracts.events import AgentResponse, TurnStopReceipt
from contracts.money import Usage
from contracts.routes.model import ModelMessage
from contracts.vocabulary import FinishReason, MessageRole
from tests.api.gateway.scene import Scene, db, last

WHOLE = Ending(
    message=ModelMessage(role=MessageRole.ASSISTANT, content="late but whole"),
    finish=FinishReason.STOP,
    usage=Usage(uncached_input=20, output=10),
    status=CallStatus.SETTLED,
    outcome=Outcome.COMPLETED,
    is_kept=True,
)


def _open(scene: Scene) -> Opened:
    opened = opening.open_call(new_id(), scene.instance_id, scene.call())
    assert isinstance(opened, Opened)
    return opened


def _expire(opened: Opened) -> None:
    Hold.objects.filter(id=opened.call_id).update(expires_at=now().replace(year=2020))


def _counters(scene: Scene) -> tuple[int, int]:
    leaf = budgets.budget_of(scene.place)[0]
    return leaf.spent_micros, leaf.held_micros


async def test_an_expired_hold_is_booked_as_estimated_spend(served: Scene) -> None:
    opened = await db(_open)(served)
    assert await db(gateway.sweep)() == 0
    await db(_expire)(opened)
    assert await db(gateway.sweep)() == 1
    assert await db(gateway.sweep)() == 0
    assert await db(_counters)(served) == (opened.amount_micros, 0)
    row = await db(TokenUsage.objects.get)()
    assert (row.outcome, row.is_estimated, row.cost_micros) == ("lost", True, opened.amount_micros)


async def test_a_late_settle_replaces_the_estimate_and_keeps_no_frame(served: Scene) -> None:
    opened = await db(_open)(served)
    await db(_expire)(opened)
    await db(gateway.sweep)()
    await db(settling.settle)(opened, WHOLE)
    assert await db(_counters)(served) == (300, 0)
    row = await db(TokenUsage.objects.get)()
    assert (row.outcome, row.is_estimated, row.cost_micros) == ("completed", False, 300)
    assert (await db(Call.objects.get)()).kept_frame is None


async def test_settling_twice_changes_nothing(served: Scene) -> None:
    opened = await db(_open)(served)
    await db(settling.settle)(opened, WHOLE)
    await db(settling.settle)(opened, replace(WHOLE, usage=Usage(uncached_input=999, output=999)))
    assert await db(_counters)(served) == (300, 0)


async def test_actual_above_the_hold_is_booked_whole_and_flagged(served: Scene) -> None:
    opened = await db(_open)(served)
    await db(settling.settle)(opened, replace(WHOLE, usage=Usage(uncached_input=10**6, output=0)))
    row = await db(TokenUsage.objects.get)()
    assert (row.is_overshot, row.cost_micros) == (True, 10**7)
    assert await db(_counters)(served) == (10**7, 0)


async def test_the_sweep_writes_the_papers_of_a_stop_whose_owner_is_dead(served: Scene) -> None:
    opened = await db(_open)(served)
    await db(_die_after_saving)(served, opened, "half an ans")
    assert await db(gateway.sweep)() == 1
    partial = await last(served, AgentResponse)
    assert partial == AgentResponse(turn_id=served.turn_id, iteration=0, content="half an ans", is_partial=True)
    receipt = await last(served, TurnStopReceipt)
    assert receipt.cost_micros == opened.amount_micros
    assert await db(_counters)(served) == (opened.amount_micros, 0)


def _die_after_saving(scene: Scene, opened: Opened, text: str) -> None:
    Call.objects.filter(id=opened.call_id).update(text=text)
    with transaction.atomic():
        agent_sessions.lock(scene.session_id)
        gateway.mark_stopped(scene.turn_id, now().replace(year=2020))


async def test_a_stop_that_was_just_pressed_is_left_to_its_owner(served: Scene) -> None:
    await db(_open)(served)
    await db(_mark_now)(served)
    assert await db(gateway.sweep)() == 0


def _mark_now(scene: Scene) -> None:
    with transaction.atomic():
        agent_sessions.lock(scene.session_id)
        gateway.mark_stopped(scene.turn_id, now())


async def test_an_owner_that_settles_after_the_sweep_wrote_the_papers_writes_none(served: Scene) -> None:
    opened = await db(_open)(served)
    await db(_die_after_saving)(served, opened, "half")
    await db(gateway.sweep)()
    await db(settling.settle)(opened, WHOLE)
    assert len(await db(log.events_of_types)(served.session_id, ("turn.stop_receipt", "agent.response"))) == 2
    assert await db(_counters)(served) == (300, 0)
