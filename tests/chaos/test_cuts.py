"""R6: whatever happens to a page's connection, it ends with exactly what the log holds: `make chaos CUTS=1000`."""

import json
import random
import threading
import time

import pytest

from contracts.events import AgentResponse
from deploy.launcher import ports
from tests.chaos import director, wires
from tests.chaos.story import is_settled
from tests.chaos.summary import RESULTS, spread
from tests.chaos.watcher import SILENCE_SECONDS, Watcher
from tests.fakes.proxy import Proxy
from tests.plugins.house import House
from tests.plugins.stack import wait_until
from tests.system.person import Person
from tests.system.stopping import bound

KINDS = {"cut": wires.cut, "refused": wires.refused, "half-open": wires.gone, "deaf": wires.deaf, "dumb": wires.dumb}
PAUSE_SECONDS = 0.4
SILENT_SECONDS = SILENCE_SECONDS + 1
HALF_OPEN_SECONDS = 30.0
CATCH_UP_SECONDS = 5.0
EVERY_SILENCE = 10
"""One cut in so many is a silence that lasts until it is noticed; the others are short."""


@pytest.mark.timeout(0)
def test_a_page_that_is_cut_at_random_ends_with_what_the_log_holds(
    house: House, request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]
) -> None:
    count, seed = request.config.getoption("--cuts"), request.config.getoption("--seed") or int(time.time())
    dice = random.Random(seed)
    house.models.otherwise = director.answer
    talk = bound(house, Person(house.stack))
    with Proxy(ports.free_port(), house.stack.port) as proxy:
        watcher = Watcher(talk, proxy, dice)
        watching = threading.Thread(target=watcher.watch, daemon=True)
        talking = threading.Thread(target=_talk, args=(watcher,), daemon=True)
        watching.start()
        talking.start()
        for number in range(count):
            _strike(proxy, dice, is_silent=number % EVERY_SILENCE == 0)
        watcher.over.set()
        talking.join(120)
        caught_up = _catch_up(watcher, watching)
    figures = {
        "cuts": count,
        "seed": seed,
        "joins": watcher.joins,
        "events": len(watcher.events),
        "half_open_noticed_s": spread(watcher.noticed_seconds),
        "catch_up_s": round(caught_up, 2),
    }
    RESULTS["cuts"] = figures
    with capsys.disabled():
        print(f"\n{json.dumps(figures)}", flush=True)  # noqa: T201
    assert _differences(watcher) == []
    assert max(watcher.noticed_seconds, default=0) <= HALF_OPEN_SECONDS


def _talk(watcher: Watcher) -> None:
    """The person goes on talking beside it, by a way of their own."""
    number = 0
    while not watcher.over.is_set():
        watcher.talk.say(f"thought {number}")
        watcher.talk.until(is_settled, 60)
        number += 1


def _strike(proxy: Proxy, dice: random.Random, *, is_silent: bool) -> None:
    kind = "half-open" if is_silent else dice.choice(list(KINDS))
    KINDS[kind](proxy)
    time.sleep(SILENT_SECONDS if is_silent else dice.random() * PAUSE_SECONDS)
    proxy.heal()
    time.sleep(dice.random() * PAUSE_SECONDS)


def _catch_up(watcher: Watcher, watching: threading.Thread) -> float:
    """Seconds until a page that may connect again has everything."""
    watching.join(SILENCE_SECONDS + 5)
    watcher.over.clear()
    head = watcher.talk.read()[-1].seq
    began = time.monotonic()
    threading.Thread(target=watcher.watch, daemon=True).start()
    wait_until(lambda: watcher.last >= head, CATCH_UP_SECONDS)
    watcher.over.set()
    return time.monotonic() - began


def _differences(watcher: Watcher) -> list[str]:
    """Each event as the log holds it, none twice; no live text that its answer does not begin with."""
    events = watcher.talk.events
    found = [
        f"seq {each.seq} was {watcher.events.get(each.seq)}" for each in events if watcher.events.get(each.seq) != each
    ]
    answers = {str(e.payload.turn_id): e.payload.content for e in events if isinstance(e.payload, AgentResponse)}
    found += [
        f"turn {turn} was shown {text[-60:]!r}"
        for (turn, _, _), text in watcher.live.items()
        if turn in answers and not answers[turn].startswith(text)
    ]
    return found + [f"seq {seq} came twice" for seq in watcher.doubled]
