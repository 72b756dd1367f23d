"""R5: the api is killed in the middle of an answer and stays dead for a while: the turn goes on when it is back."""

import json
import os
import random
import signal
import time
from contextlib import suppress

import pytest

from contracts.events import ModelCallRepeated
from tests.chaos import summary
from tests.chaos.test_partitions import in_mid_stream, whole
from tests.plugins.house import House

LOOK_SECONDS = 0.05


@pytest.mark.timeout(0)
def test_an_api_that_is_killed_and_stays_dead_costs_one_call_that_is_flagged(
    house: House, request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]
) -> None:
    """`make chaos OUTAGES=5,30,900`: each time the launcher starts it again, it is killed again until then."""
    dice = random.Random(request.config.getoption("--seed") or time.time())
    back: dict[str, float] = {}
    for seconds in request.config.getoption("--outages").split(","):
        talk = in_mid_stream(house)
        time.sleep(dice.random())
        _keep_dead(house, float(seconds))
        began = time.monotonic()
        house.stack.await_ready(120)
        back[seconds] = round(time.monotonic() - began, 2)
        whole(house, talk)
        assert sum(isinstance(event.payload, ModelCallRepeated) for event in talk.events) == 1
    summary.RESULTS["api_dead_back_s"] = back
    with capsys.disabled():
        print(f"\n{json.dumps(back)}", flush=True)  # noqa: T201


def _keep_dead(house: House, seconds: float) -> None:
    """None of its successors lives long enough to serve anybody."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if pid := house.stack.pids.get("api"):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(LOOK_SECONDS)
