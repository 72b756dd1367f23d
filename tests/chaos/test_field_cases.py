"""The field cases of the spine again, each while something dies."""

import random
import threading
import time
from collections import defaultdict

import pytest

from tests.chaos import audit, director
from tests.chaos.faults import CONTROL, FAULTS, Scene
from tests.chaos.field_cases import CASES
from tests.chaos.field_scene import Case
from tests.chaos.ledger import Ledger
from tests.chaos.takeover import Takeovers
from tests.fakes.model_server import ModelServer
from tests.plugins.house import House
from tests.plugins.stack import wait_until
from tests.system.person import Person

STRIKING = (CONTROL, "worker", "api", "relay", "engine-http", "postgres restart", "valkey", "flush", "all workers")
REST_SECONDS = 100.0


@pytest.mark.timeout(0)
@pytest.mark.parametrize("name", list(CASES))
def test_a_field_case_ends_as_it_should_whatever_dies(
    house: House, request: pytest.FixtureRequest, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each round takes the next fault; the number of rounds is `make chaos CASE_ROUNDS=9`."""
    seed = request.config.getoption("--seed") or int(time.time())
    dice = random.Random(f"{seed}-{name}")
    faults = dice.sample(STRIKING, len(STRIKING))
    found: list[str] = []
    for number in range(request.config.getoption("--case-rounds")):
        fault = faults[number % len(faults)]
        words = _play(house, name, fault, dice)
        found += [f"{name} under {fault}: {word}" for word in words]
        with capsys.disabled():
            print(f"{name:32} {fault:20} {len(words)} complaints", flush=True)  # noqa: T201
    assert not found


def _play(house: House, name: str, fault: str, dice: random.Random) -> list[str]:
    ledger = Ledger(house.plan.addresses.migration_database_url)
    scene = Scene(house, ledger, dice, Takeovers(house, ledger), defaultdict(list), threading.Event())
    person = Person(house.stack)
    with ModelServer(otherwise=director.answer) as models:
        talk = person.open_session(person.create_project())
        talk.bind(models.url, "field")
        case = Case(talk, models, scene, FAULTS[fault], dice)
        found = CASES[name](case)
        found += case.finish()
    wait_until(lambda: not ledger.busy(), REST_SECONDS, lambda: str(ledger.busy()))
    return [*found, *audit.of_house(ledger)] + ([f"the log was:\n{talk.told()}"] if found else [])
