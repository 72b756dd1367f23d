"""Law 2's narrow exception: what was bought is not bought again, and what was in flight is bought again once."""

import pytest

from api.rooms.agent_sessions import selectors as log
from api.rooms.budgets import selectors as budgets
from api.rooms.budgets.models import Hold, TokenUsage
from api.rooms.gateway import services as gateway
from api.rooms.gateway.models import Call
from api.rooms.gateway.services import opening
from api.rooms.gateway.services.opened import Opened
from api.rooms.kernel.ids import new_id
from api.rooms.kernel.refusals import Refusal
from contracts.events import ModelCallRepeated
from contracts.failures import ErrorCode
from contracts.problem import ProblemCode
from contracts.routes.model import Final
from tests.api.gateway.scene import Scene, db, hear, leave_after
from tests.fakes.model_server import ModelServer, Reply

SLOW = Reply(text="one two three four five six seven eight", delay_ms=20)


async def test_the_kept_frame_wins_whatever_the_repeated_request_contains(served: Scene, server: ModelServer) -> None:
    server.play(Reply(text="the only answer"))
    first = await hear(served, served.call("one question"))
    again = await hear(served, served.call("quite another question", max_output_tokens=9))
    assert again.final == first.final
    assert again.deltas == ()
    assert len(server.requests) == 1
    assert await db(TokenUsage.objects.count)() == 1


async def test_the_kept_frame_answers_even_a_worker_that_was_replaced(served: Scene, server: ModelServer) -> None:
    server.play(Reply(text="bought"))
    first = await hear(served, served.call())
    await db(served.claimed_again)()
    assert (await hear(served, served.call())).final == first.final


async def test_a_forgotten_frame_is_never_bought_again(served: Scene, server: ModelServer) -> None:
    server.play(Reply(text="bought"))
    await hear(served, served.call())
    await db(gateway.forget_kept)(served.instance_id, served.step + 1)
    with pytest.raises(Refusal) as refusal:
        await hear(served, served.call())
    assert refusal.value.code is ProblemCode.FENCED
    assert len(server.requests) == 1


async def test_a_stale_worker_is_fenced_before_anything_is_held(served: Scene, server: ModelServer) -> None:
    await db(served.claimed_again)()
    with pytest.raises(Refusal) as refusal:
        await hear(served, served.call())
    assert refusal.value.code is ProblemCode.FENCED
    assert await db(Hold.objects.count)() == 0


async def test_a_call_that_was_lost_is_bought_again_once_and_flagged(served: Scene, server: ModelServer) -> None:
    server.play(SLOW, Reply(text="second time"))
    await leave_after(served, served.call(), deltas=3)
    heard = await hear(served, served.call())
    assert heard.final.is_repeated
    assert heard.final.attempt == 2
    assert heard.text == "second time"
    events = await db(log.events_of_types)(served.session_id, ("model.call_repeated",))
    assert [event.payload for event in events] == [ModelCallRepeated(turn_id=served.turn_id, attempt=2)]


async def test_the_lost_attempt_is_metered_as_cancelled_and_estimated(served: Scene, server: ModelServer) -> None:
    server.play(SLOW)
    await leave_after(served, served.call(), deltas=3)
    row = await db(TokenUsage.objects.get)()
    assert (row.outcome, row.is_estimated) == ("cancelled", True)
    assert row.cost_micros == 10 * (row.uncached_input + row.output)
    assert row.output > 0
    server.wait_for(lambda requests: requests[0].closed_at is not None)


async def test_two_losses_end_interrupted_and_buy_nothing_more(served: Scene, server: ModelServer) -> None:
    server.play(SLOW, SLOW)
    await leave_after(served, served.call(), deltas=2)
    await leave_after(served, served.call(), deltas=2)
    heard = await hear(served, served.call())
    assert heard.final.error is not None
    assert heard.final.error.code is ErrorCode.INTERRUPTED
    assert len(server.requests) == 2
    assert (await hear(served, served.call())).final == heard.final


async def test_a_claim_closes_and_books_the_calls_of_older_epochs(served: Scene) -> None:
    """The process that owned the call died: nobody but the claim can count what it spent."""
    opened = await db(opening.open_call)(new_id(), served.instance_id, served.call())
    assert isinstance(opened, Opened)
    lost = await db(_claim)(served)
    assert lost == (opened.call_id,)
    assert (await db(Call.objects.get)()).status == "lost"
    usage = await db(TokenUsage.objects.get)()
    assert (usage.outcome, usage.is_estimated, usage.cost_micros) == ("lost", True, opened.amount_micros)
    leaf = (await db(budgets.budget_of)(served.place))[0]
    assert (leaf.spent_micros, leaf.held_micros) == (opened.amount_micros, 0)


def _claim(scene: Scene) -> tuple[object, ...]:
    from django.db import transaction

    with transaction.atomic():
        return gateway.close_older(scene.instance_id, scene.epoch + 1)


async def test_a_repeat_from_the_same_worker_closes_the_try_that_is_still_open(
    served: Scene, server: ModelServer
) -> None:
    opened = await db(opening.open_call)(new_id(), served.instance_id, served.call())
    assert isinstance(opened, Opened)
    server.play(Reply(text="after the loss"))
    heard = await hear(served, served.call())
    assert (heard.final.attempt, heard.final.is_repeated, heard.text) == (2, True, "after the loss")
    assert await db(list)(TokenUsage.objects.order_by("created_at").values_list("outcome", flat=True)) == [
        "lost",
        "completed",
    ]


async def test_a_refusal_before_the_hold_leaves_no_attempt_and_may_be_asked_again(
    served: Scene, server: ModelServer
) -> None:
    from api.rooms.budgets import services as budget_services

    await db(budget_services.set_limit)(served.place, 0)
    refused = await hear(served, served.call())
    assert refused.final.error is not None
    assert refused.final.error.code is ErrorCode.BUDGET_EXCEEDED
    assert refused.final.error.facts["node"] == "session"
    assert refused.final.error.facts["left_micros"] == "0"
    await db(budget_services.set_limit)(served.place, None)
    server.play(Reply(text="now it may"))
    heard = await hear(served, served.call())
    assert (heard.text, heard.final.attempt, heard.final.is_repeated) == ("now it may", 1, False)
    assert isinstance(heard.final, Final)
