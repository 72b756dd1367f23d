"""The long campaign."""

import random
import time

import pytest

from tests.chaos import summary
from tests.chaos.campaign import Campaign, order
from tests.chaos.faults import FAULTS
from tests.plugins.house import House


@pytest.mark.timeout(0)
def test_whatever_dies_nothing_is_lost_doubled_or_bought_twice_unflagged(
    wired_house: House, request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]
) -> None:
    """R1, R2, R3, R4, R5, R11: a summary with figures is printed at the end."""
    seed = request.config.getoption("--seed") or int(time.time())
    campaign = Campaign(wired_house, seed)
    chosen = [name for name in request.config.getoption("--faults").split(",") if name] or list(FAULTS)
    rounds = order(chosen, request.config.getoption("--rounds"), random.Random(seed))
    for number, fault in enumerate(rounds, start=1):
        began = time.monotonic()
        found = campaign.play(fault)
        with capsys.disabled():
            print(f"{number:4} {fault:32} {time.monotonic() - began:5.1f} s  {len(found)} complaints", flush=True)  # noqa: T201
            print("\n".join(found), end="\n" if found else "", flush=True)  # noqa: T201
    campaign.takeovers.finish()
    with capsys.disabled():
        print(summary.told(campaign), flush=True)  # noqa: T201
    assert not campaign.tally.complaints
