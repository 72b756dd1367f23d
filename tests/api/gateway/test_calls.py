"""A call's way: binding, hold, stream, settle, final frame; and what a repeated call gets."""

from api.rooms.budgets import selectors as budgets
from api.rooms.budgets.models import Hold, TokenUsage
from api.rooms.gateway import services as gateway
from api.rooms.gateway.domain.scripts import Entry, Script
from api.rooms.gateway.models import Call
from contracts.failures import ErrorCode
from contracts.vocabulary import FinishReason
from tests.api.gateway.scene import Scene, db, hear


async def test_a_rehearsed_call_streams_settles_and_ends_with_one_final_frame(rehearsing: Scene) -> None:
    await db(gateway.set_script)(rehearsing.session_id, Script(entries=(Entry(text="Good morning to you"),)))
    heard = await hear(rehearsing, rehearsing.call())
    assert heard.text == heard.final.message.content == "Good morning to you"
    assert heard.final.finish is FinishReason.STOP
    assert heard.final.bill is not None
    assert heard.final.bill.is_rehearsal
    assert heard.final.bill.cost_micros == 0
    assert await db(list)(Hold.objects.values_list("status", flat=True)) == ["settled"]
    assert await db(TokenUsage.objects.count)() == 1
    assert [standing.held_micros for standing in await db(budgets.budget_of)(rehearsing.place)] == [0, 0, 0]


async def test_without_a_binding_nothing_is_held_and_the_refusal_is_policy(scene: Scene) -> None:
    heard = await hear(scene, scene.call())
    assert heard.final.error is not None
    assert heard.final.error.code is ErrorCode.NO_BINDING
    assert heard.final.bill is None
    assert await db(Call.objects.count)() == 0
