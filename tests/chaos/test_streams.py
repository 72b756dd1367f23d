"""Twenty answers at once when people stop them, and when their worker is told to go: nothing stays open."""

import json
import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import psutil
import pytest

from contracts.events import TurnEnded
from contracts.vocabulary import TurnStatus
from tests.chaos import audit, summary
from tests.chaos.ledger import Ledger
from tests.fakes.model_server import Reply
from tests.plugins.house import WORKERS, House
from tests.plugins.stack import wait_until
from tests.system.person import Talk
from tests.system.stopping import CLOSE_SECONDS, TEXT, asked, is_there, requests_of

STREAMS = 20
EXIT_SECONDS = 5.0
GONE_SECONDS = 15.0
TAKEN_UP_SECONDS = 60.0


@pytest.mark.timeout(0)
def test_a_stop_of_each_of_twenty_streams_closes_each_socket(house: House, capsys: pytest.CaptureFixture[str]) -> None:
    """All pressed at once: each socket is open when its button is pressed, and closed by that Stop."""
    with ThreadPoolExecutor(STREAMS) as hands:
        talks = _in_mid_stream(house, hands)
        closed = list(hands.map(partial(_closed_s, house), talks))
    _show("streams", {"closed_s": summary.spread(closed)}, capsys)
    assert min(closed) > 0
    assert max(closed) <= CLOSE_SECONDS
    _at_rest(house, talks)


@pytest.mark.timeout(0)
def test_workers_that_are_told_to_go_leave_no_socket_open(house: House, capsys: pytest.CaptureFixture[str]) -> None:
    """They do not wait for streams that do not end; what they leave is taken up by others, until people stop it."""
    with ThreadPoolExecutor(STREAMS) as hands:
        talks = _in_mid_stream(house, hands)
        left = [request for talk in talks for request in requests_of(house, talk)]
        exits = list(hands.map(_exit_seconds, [house.stack.pids[name] for name in WORKERS]))
        gone_at = time.monotonic()
        wait_until(lambda: all(request.closed_at for request in left), GONE_SECONDS)
        house.models.wait_for(lambda _: all(_is_taken_up(house, talk) for talk in talks), TAKEN_UP_SECONDS)
        list(hands.map(Talk.stop, talks))
        wait_until(lambda: all(each.closed_at for talk in talks for each in requests_of(house, talk)), GONE_SECONDS)
    late = max((request.closed_at or 0) - gone_at for request in left)
    _show("drain", {"exit_s": summary.spread(exits), "closed_after_exit_s": round(late, 3)}, capsys)
    assert max(exits) <= EXIT_SECONDS
    assert late <= CLOSE_SECONDS
    _at_rest(house, talks)


def _in_mid_stream(house: House, hands: ThreadPoolExecutor) -> list[Talk]:
    """Each has begun to hear an answer that never ends."""
    house.models.otherwise = lambda _: Reply(text=TEXT, hang="after", after=5)
    talks = list(hands.map(lambda _: asked(house), range(STREAMS)))
    house.models.wait_for(lambda _: all(is_there(requests_of(house, talk), "in mid-stream") for talk in talks), 60)
    return talks


def _closed_s(house: House, talk: Talk) -> float:
    """From the press of the button to the end of the provider's socket."""
    pressed = time.monotonic()
    assert len(talk.stop()) == 1
    (request,) = requests_of(house, talk)
    wait_until(lambda: request.closed_at, GONE_SECONDS)
    return (request.closed_at or 0) - pressed


def _is_taken_up(house: House, talk: Talk) -> bool:
    return len(requests_of(house, talk)) > 1


def _exit_seconds(pid: int) -> float:
    process, began = psutil.Process(pid), time.monotonic()
    os.kill(pid, signal.SIGTERM)
    process.wait(60)
    return time.monotonic() - began


def _show(name: str, figures: dict[str, object], capsys: pytest.CaptureFixture[str]) -> None:
    summary.RESULTS[name] = figures
    with capsys.disabled():
        print(f"\n{json.dumps(figures)}", flush=True)  # noqa: T201


def _at_rest(house: House, talks: list[Talk]) -> None:
    """Each turn stopped once; nothing is held and no call is open."""
    ledger = Ledger(house.plan.addresses.migration_database_url)
    wait_until(lambda: not ledger.busy(), 100, lambda: str(ledger.busy()))
    ends = [[e.payload.status for e in talk.read() if isinstance(e.payload, TurnEnded)] for talk in talks]
    assert ends == [[TurnStatus.STOPPED]] * STREAMS
    assert audit.of_house(ledger) == []
