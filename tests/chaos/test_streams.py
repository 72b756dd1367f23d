"""Twenty answers at once when their worker is told to go, and when people stop them: nothing stays open."""

import json
import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor

import psutil
import pytest

from contracts.events import TurnEnded
from contracts.vocabulary import TurnStatus
from tests.chaos import audit, summary
from tests.chaos.ledger import Ledger
from tests.fakes.model_server import Reply
from tests.plugins.house import WORKERS, House
from tests.plugins.stack import wait_until
from tests.system.person import Person, Talk
from tests.system.stopping import CLOSE_SECONDS, TEXT, bound, is_there, requests_of

STREAMS = 20
EXIT_SECONDS = 5.0


@pytest.mark.timeout(0)
def test_twenty_streams_outlive_a_worker_and_all_close_at_a_stop(
    house: House, capsys: pytest.CaptureFixture[str]
) -> None:
    house.models.otherwise = lambda _: Reply(text=TEXT, hang="after", after=5)
    with ThreadPoolExecutor(STREAMS) as hands:
        talks = list(hands.map(lambda _: _asked(house), range(STREAMS)))
        house.models.wait_for(lambda _: all(is_there(requests_of(house, talk), "in mid-stream") for talk in talks), 60)
        exits = [_exit_seconds(house.stack.pids[name]) for name in WORKERS[:1]]
        pressed = time.monotonic()
        list(hands.map(Talk.stop, talks))  # repeated where the answer did not come: the second names no turn
        wait_until(lambda: all(each.closed_at for talk in talks for each in requests_of(house, talk)), 15)
    closed = [(each.closed_at or 0) - pressed for talk in talks for each in requests_of(house, talk)]
    figures = {"exit_s": summary.spread(exits), "closed_s": summary.spread(closed)}
    summary.RESULTS["streams"] = figures
    with capsys.disabled():
        print(f"\n{json.dumps(figures)}", flush=True)  # noqa: T201
    assert max(exits) <= EXIT_SECONDS
    assert max(closed) <= CLOSE_SECONDS
    _at_rest(house, talks)


def _asked(house: House) -> Talk:
    talk = bound(house, Person(house.stack))
    talk.say("we want a street market")
    return talk


def _exit_seconds(pid: int) -> float:
    process, began = psutil.Process(pid), time.monotonic()
    os.kill(pid, signal.SIGTERM)
    process.wait(60)
    return time.monotonic() - began


def _at_rest(house: House, talks: list[Talk]) -> None:
    """Each turn stopped once; nothing is held and no call is open."""
    ledger = Ledger(house.plan.addresses.migration_database_url)
    wait_until(lambda: not ledger.busy(), 100, lambda: str(ledger.busy()))
    ends = [[e.payload.status for e in talk.read() if isinstance(e.payload, TurnEnded)] for talk in talks]
    assert ends == [[TurnStatus.STOPPED]] * STREAMS
    assert audit.of_house(ledger) == []
