"""Stop, a hundred times: `make chaos STOPS=100`."""

import json
import random

import pytest

from tests.chaos import audit
from tests.chaos.ledger import Ledger
from tests.chaos.summary import RESULTS, spread
from tests.plugins.house import House
from tests.system.stopping import PHASES, requests_of, stop_once, wrong

MAX_JITTER_SECONDS = 0.2
AT_ONCE = 3
POOL_WORDS = ("PoolTimeout", "couldn't get a connection")


@pytest.mark.timeout(0)
def test_every_stop_closes_its_call_and_nothing_follows(
    house: House, request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]
) -> None:
    """F4, R10: the phases in turn, pressed five times each, three of them at once, at a random moment of the phase."""
    count = request.config.getoption("--stops")
    phases = [list(PHASES)[number % len(PHASES)] for number in range(count)]
    stops = [stop_once(house, phase, random.random() * MAX_JITTER_SECONDS, at_once=AT_ONCE) for phase in phases]
    found = [word for stopped, phase in zip(stops, phases, strict=True) for word in wrong(stopped, phase)]
    found += [f"{len(seen)} requests" for stop in stops if len(seen := requests_of(house, stop.talk)) != 1]
    found += ["a socket is open" for stop in stops for seen in requests_of(house, stop.talk) if seen.closed_at is None]
    found += [word for stop in stops for word in stop.talk.person.failures]
    found += _waited_for_the_pool(house)
    found += audit.of_house(Ledger(house.plan.addresses.migration_database_url))
    figures = {
        "stops": count,
        "closed_s": spread([stopped.closed_s for stopped in stops]),
        "acknowledged_s": spread([stopped.acknowledged_s for stopped in stops]),
        "complaints": len(found),
    }
    RESULTS["stops"] = figures
    with capsys.disabled():
        print("\n".join(["", *found, json.dumps(figures)]), flush=True)  # noqa: T201
    assert not found


def _waited_for_the_pool(house: House) -> list[str]:
    """No stream that was cut has kept its connection: after so many the pool would be empty."""
    words = "".join(log.read_text(errors="replace") for log in (house.stack.home / "log").glob("api*.log"))
    return [f"a log says {word!r}" for word in POOL_WORDS if word in words]
