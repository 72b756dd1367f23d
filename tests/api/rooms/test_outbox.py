"""The outbox and its relay: each claim delivered once, no wake lost, and dead letters kept for people."""

import ast
import importlib
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from uuid import UUID

import pytest
from django.db import OperationalError
from django.db.models.functions import Now

from api.relay.delivery import Delivery
from api.relay.loop import Relay
from api.rooms.kernel.engine import EngineAway, EngineClient
from api.rooms.kernel.ids import new_id
from api.rooms.kernel.refusals import Refusal
from api.rooms.outbox import services as outbox
from api.rooms.outbox.domain import MAX_ATTEMPTS
from api.rooms.outbox.models import OutboxMessage, Wake
from api.rooms.outbox.services import DueWake
from api.wiring import CONSUMERS
from contracts.failures import FailureOrigin
from contracts.problem import ProblemCode
from contracts.routes.engine import Wake as WakeCall
from tests.factories.conversation import say
from tests.factories.places import Place
from tests.factories.races import together, until
from tests.factories.workers import instance_of

ROOT = Path(__file__).resolve().parents[3]


def wakes(count: int) -> set[UUID]:
    ids = {new_id() for _ in range(count)}
    for instance_id in ids:
        outbox.wake(instance_id, "creative", 1)
    return ids


def test_relays_that_claim_at_once_share_the_wakes(committed: None) -> None:
    ids = wakes(60)
    claims = together([outbox.claim_wakes] * 6)
    claimed = [due.instance_id for claim in claims if isinstance(claim, list) for due in claim]
    assert sorted(claimed) == sorted(set(claimed))
    rest = [due.instance_id for due in outbox.claim_wakes()]
    assert set(claimed) | set(rest) == ids
    assert len(claimed) + len(rest) == 60


def test_relays_that_claim_at_once_share_the_messages(committed: None) -> None:
    for number in range(60):
        outbox.put("test", {"number": str(number)})
    claims = together([outbox.claim_messages] * 6)
    claimed = [due.payload["number"] for claim in claims if isinstance(claim, list) for due in claim]
    claimed += [due.payload["number"] for due in outbox.claim_messages()]
    assert sorted(claimed, key=int) == [str(number) for number in range(60)]


def test_a_claim_that_was_not_delivered_in_time_is_claimed_again(committed: None) -> None:
    wakes(1)
    outbox.put("test", {})
    first, message = outbox.claim_wakes()[0], outbox.claim_messages()[0]
    assert (outbox.claim_wakes(), outbox.claim_messages()) == ([], [])
    Wake.objects.update(claimed_until="2020-01-01T00:00:00Z")
    OutboxMessage.objects.update(claimed_until="2020-01-01T00:00:00Z")
    assert outbox.claim_wakes()[0].instance_id == first.instance_id
    assert outbox.claim_messages()[0].id == message.id


def test_an_instance_has_one_wake_however_many_reasons(committed: None) -> None:
    instance_id = new_id()
    for seq in (3, 9, 5):
        outbox.wake(instance_id, "creative", seq)
    assert [(due.instance_id, due.seq) for due in outbox.claim_wakes()] == [(instance_id, 9)]


def test_a_delivered_wake_is_gone(committed: None) -> None:
    wakes(1)
    outbox.wake_delivered(outbox.claim_wakes()[0])
    assert Wake.objects.count() == 0


@pytest.mark.parametrize("seq", [1, 2], ids=["the same seq", "a newer seq"])
def test_a_wake_that_is_raised_during_its_delivery_is_not_lost(committed: None, seq: int) -> None:
    wakes(1)
    due = outbox.claim_wakes()[0]
    outbox.wake(due.instance_id, "creative", seq)
    outbox.wake_delivered(due)
    assert [again.instance_id for again in outbox.claim_wakes()] == [due.instance_id]


@pytest.mark.parametrize("finish", [outbox.wake_delivered, outbox.wake_failed])
def test_a_late_relay_does_not_touch_the_claim_of_another(committed: None, finish: Callable[[DueWake], None]) -> None:
    """Raised again during the first delivery and claimed by the second relay, under the same seq."""
    wakes(1)
    late = outbox.claim_wakes()[0]
    outbox.wake(late.instance_id, "creative", 1)
    outbox.claim_wakes()
    before = Wake.objects.values().get()
    finish(late)
    assert Wake.objects.values().get() == before


def test_a_wake_is_tried_for_ever_and_never_a_dead_letter(committed: None) -> None:
    wakes(1)
    for attempt in range(1, MAX_ATTEMPTS + 4):
        Wake.objects.update(due_at=Now())
        due = outbox.claim_wakes()[0]
        assert due.attempts == attempt
        outbox.wake_failed(due)
    assert Wake.objects.filter(due_at__gt=Now(), claimed_until=None).count() == 1


def fail_until_dead() -> UUID:
    outbox.put("test", {})
    for _ in range(MAX_ATTEMPTS):
        OutboxMessage.objects.update(due_at=Now())
        (due,) = outbox.claim_messages()
        outbox.message_failed(due.id, "ValueError: no", FailureOrigin.CODE)
    return OutboxMessage.objects.get().id


def test_the_last_failure_makes_a_dead_letter_with_its_error(committed: None) -> None:
    fail_until_dead()
    row = OutboxMessage.objects.get()
    assert (row.attempts, row.last_error, row.dead_at is None, row.delivered_at) == (
        MAX_ATTEMPTS,
        "ValueError: no",
        False,
        None,
    )
    assert outbox.claim_messages() == []


def test_an_operator_retries_a_dead_letter(committed: None) -> None:
    message_id = fail_until_dead()
    outbox.retry(message_id)
    assert [(due.id, due.attempts) for due in outbox.claim_messages()] == [(message_id, 1)]
    assert OutboxMessage.objects.get().retries == 1


def test_a_discarded_message_is_not_retried(committed: None) -> None:
    message_id = fail_until_dead()
    outbox.discard(message_id, "asked by the person")
    with pytest.raises(Refusal, match="no dead letter"):
        outbox.retry(message_id)


def failing(error: Exception) -> str:
    """The origin that a delivery which fails like this leaves."""
    OutboxMessage.objects.all().delete()

    def consume(payload: dict[str, str]) -> None:
        raise error

    outbox.put("test", {})
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(CONSUMERS, "test", consume)
        Delivery().drain()
    return OutboxMessage.objects.get().last_origin


def test_a_failed_delivery_names_its_origin(committed: None) -> None:
    refusal = Refusal(ProblemCode.SESSION_ENDED, "It is closed.")
    assert [failing(error) for error in (OperationalError("away"), refusal, ValueError("ours"))] == [
        FailureOrigin.INFRA,
        FailureOrigin.POLICY,
        FailureOrigin.CODE,
    ]


def test_an_operator_discards_a_dead_letter(committed: None) -> None:
    message_id = fail_until_dead()
    outbox.discard(message_id, "asked by the person")
    row = OutboxMessage.objects.get()
    assert (row.delivered_at, row.discarded_at is None, row.discard_reason) == (None, False, "asked by the person")
    assert outbox.claim_messages() == []


@pytest.mark.parametrize("act", [outbox.retry, partial(outbox.discard, reason="asked by the person")])
def test_only_a_dead_letter_is_for_operators(committed: None, act: Callable[[UUID], None]) -> None:
    outbox.put("test", {})
    before = OutboxMessage.objects.values().get()
    with pytest.raises(Refusal, match="no dead letter"):
        act(before["id"])
    assert OutboxMessage.objects.values().get() == before


def types_that_are_put() -> Iterator[str]:
    """Every first argument of `outbox.put(…)` in the api's source, as a value."""
    for path in sorted((ROOT / "api").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "outbox.put":
                module = importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
                yield eval(ast.unparse(node.args[0]), vars(module))  # noqa: S307 - our own source


def test_every_outbox_type_has_its_consumer() -> None:
    assert set(types_that_are_put()) == set(CONSUMERS)


class Listening(EngineClient):
    """An engine that notes what it is told, or is away."""

    def __init__(self) -> None:
        self.heard: list[UUID] = []
        self.is_away = False
        self.meanwhile: Callable[[], None] = lambda: None

    def wake(self, wake: WakeCall) -> None:
        self.meanwhile()
        if self.is_away:
            raise EngineAway("not there")
        self.heard.append(wake.instance_id)


class To(Delivery):
    """A relay's delivery that leads to `engine`."""

    def __init__(self, engine: Listening) -> None:
        super().__init__()
        self._engine = engine

    def _client(self) -> EngineClient:
        return self._engine


def drain(*deliveries: Delivery) -> None:
    def until_empty(delivery: Delivery) -> None:
        while delivery.drain():
            pass

    together([lambda delivery=delivery: until_empty(delivery) for delivery in deliveries])  # type: ignore[misc]


def test_two_relays_deliver_each_wake_once(committed: None) -> None:
    ids, engine = wakes(80), Listening()
    drain(To(engine), To(engine))
    assert sorted(engine.heard) == sorted(ids)
    assert Wake.objects.count() == 0


def test_a_wake_waits_for_an_engine_that_is_away(committed: None) -> None:
    (instance_id,), engine = wakes(1), Listening()
    engine.is_away = True
    drain(To(engine))
    assert Wake.objects.filter(due_at__gt=Now()).count() == 1
    engine.is_away = False
    Wake.objects.update(due_at=Now())
    drain(To(engine))
    assert engine.heard == [instance_id]


def test_a_wake_that_comes_in_the_middle_of_its_delivery_is_delivered_again(committed: None) -> None:
    (instance_id,), engine = wakes(1), Listening()

    def once() -> None:
        engine.meanwhile = lambda: None
        outbox.wake(instance_id, "creative", 2)

    engine.meanwhile = once
    drain(To(engine))
    assert engine.heard == [instance_id] * 2


def test_a_consumer_that_fails_is_tried_again_and_a_stranger_has_none(committed: None) -> None:
    outbox.put("nobody.knows", {})
    drain(To(Listening()))
    row = OutboxMessage.objects.get()
    assert (row.attempts, row.last_error, row.claimed_until) == (1, "KeyError: 'nobody.knows'", None)


def test_the_relay_delivers_what_is_committed_within_a_second_and_stops_when_told(lasting: Place) -> None:
    """NOTIFY hurries; the loop would look each second anyway."""
    relay, engine = Relay(), Listening()
    relay._delivery = To(engine)

    def stop_when_heard() -> None:
        say(lasting)
        started = time.monotonic()
        until(lambda: engine.heard == [instance_of(lasting.session_id).id], 10)
        relay.stop.set()
        assert time.monotonic() - started < 5

    together([relay.run, stop_when_heard])
