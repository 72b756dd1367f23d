"""kill -9 of workers in the middle of a batch: `make chaos ROUNDS=…` batches of fifty stories."""

import json
import random

import pytest

from tests.chaos import audit, batches
from tests.chaos.ledger import Ledger
from tests.chaos.summary import RESULTS, spread
from tests.plugins.house import House
from tests.plugins.stack import wait_until

STORIES = 50
KILLS = 4


@pytest.mark.timeout(0)
def test_every_story_is_detailed_once_whatever_is_killed(
    house: House, request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]
) -> None:
    """And what was bought is booked, once."""
    dice = random.Random(request.config.getoption("--seed") or 7)
    rounds = max(1, request.config.getoption("--rounds") // 3)
    found = [batches.detail(house, STORIES, KILLS, dice) for _ in range(rounds)]
    ledger = Ledger(house.plan.addresses.migration_database_url)
    wait_until(lambda: not ledger.busy(), 100, lambda: str(ledger.busy()))
    RESULTS["batches"] = {
        "stories": rounds * STORIES,
        "kills": sum(each.kills for each in found),
        "went_on": sum(each.went_on for each in found),
        "seconds": spread([each.seconds for each in found]),
    }
    with capsys.disabled():
        print(f"\n{json.dumps(RESULTS['batches'])}", flush=True)  # noqa: T201
    assert [word for each in found for word in each.complaints()] + audit.of_house(ledger) == []
