"""The relay delivers each once, waits for an engine that is away, and knows a consumer of each type."""

import ast
import importlib
import time
from collections.abc import Callable, Iterator
from uuid import UUID

from django.db.models.functions import Now

from api.relay.delivery import Delivery
from api.relay.loop import Relay
from api.rooms.kernel.engine import EngineAway, EngineClient
from api.rooms.outbox import services as outbox
from api.rooms.outbox.models import OutboxMessage, Wake
from api.wiring import CONSUMERS
from contracts.routes.engine import Wake as WakeCall
from tests.api.rooms.outgoing import ROOT, wakes
from tests.factories.conversation import say
from tests.factories.places import Place
from tests.factories.races import together, until
from tests.factories.workers import instance_of


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
