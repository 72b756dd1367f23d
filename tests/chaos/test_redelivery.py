"""R11: a broker that gives a message out again while its turn still runs starts nothing twice."""

import os
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from celery import Celery

from deploy.launcher import environment
from tests.chaos import audit, director
from tests.chaos.doubling import publisher
from tests.chaos.ledger import Ledger
from tests.fakes.model_server import Reply
from tests.plugins.house import BEFORE_CLAIM, House
from tests.plugins.stack import NOT_INHERITED, ROOT, wait_until
from tests.system.person import Talk
from tests.system.standin import instance_of
from tests.system.stopping import asked, is_there, requests_of
from tests.system.test_story_rest import judge, settle

LATE = "late"
CELERY = ("-m", "celery", "-A", "tests.fakes.late_acks", "worker", "-P", "threads", "-c", "64", "-Q", LATE)
QUIET = ("--without-gossip", "--without-mingle", "--without-heartbeat")
GIVEN = re.compile(r"^given ([0-9a-f-]+)$", re.MULTILINE)
VISIBILITY_SECONDS = 1
MAX_TURNS = 20
"""As many as have all begun, also on a slow machine, before the first has ended."""
SLOW = Reply(text=director.spoken("rain"), delay_ms=300)
"""About eight seconds: the broker's patience many times over."""


@pytest.mark.timeout(0)
def test_a_visibility_timeout_shorter_than_a_turn_starts_one_turn(
    house: House, waiting: None, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """Two workers that acknowledge late, the worst that a setting can do: who is given it again has no lease to win."""
    house.models.otherwise = lambda _: SLOW
    talks = [asked(house) for _ in range(min(request.config.getoption("--rounds"), MAX_TURNS))]
    logs = [tmp_path / "one.log", tmp_path / "two.log"]
    with _worker(house, logs[0]), _worker(house, logs[1]):
        broker = publisher(house)
        for talk in talks:
            broker.send_task("engine.look", args=[str(instance_of(house, talk.session_id))], queue=LATE, retry=False)
        house.models.wait_for(lambda _: all(is_there(requests_of(house, talk), "in mid-stream") for talk in talks), 60)
        time.sleep(VISIBILITY_SECONDS)
        _lose_patience(broker, len(talks))
        wait_until(lambda: list(_given(logs).values()) == [2] * len(talks), 30, lambda: str(_given(logs)))
        assert not any(talk.read()[-1].payload.type == "turn.ended" for talk in talks)
        house.let_go(BEFORE_CLAIM)
        for talk in talks:
            settle(talk)
        ledger = Ledger(house.plan.addresses.migration_database_url)
        wait_until(lambda: not ledger.busy(), 60, lambda: str(ledger.busy()))
    assert [word for talk in talks for word in _wrong(house, ledger, talk)] + audit.of_house(ledger) == []


def _lose_patience(broker: Celery, count: int) -> None:
    """What each worker does from time to time: whatever waited too long for its acknowledgement is queued again."""
    broker.conf.broker_transport_options |= {"visibility_timeout": VISIBILITY_SECONDS}
    with broker.connection_for_write() as connection:
        channel: Any = connection.default_channel  # of the Redis transport, whose types say less than it has
        channel.qos.restore_visible(num=count, interval=1)


def _given(logs: list[Path]) -> Counter[str]:
    return Counter(task for log in logs for task in GIVEN.findall(log.read_text()))


def _wrong(house: House, ledger: Ledger, talk: Talk) -> list[str]:
    asked, started = len(requests_of(house, talk)), len(talk.of_type("turn.started"))
    found = [] if asked == started == 1 else [f"{talk.session_id}: {started} turns, asked {asked} times"]
    return [*found, *judge(house, talk), *audit.of_session(ledger, talk.session_id, talk.events, asked)]


@contextmanager
def _worker(house: House, log: Path) -> Iterator[None]:
    """One more process of the engine beside the house's, as the launcher would start it."""
    outer = {name: value for name, value in os.environ.items() if name not in NOT_INHERITED}
    variables = environment.for_engine(house.plan.keyring, house.plan.addresses, outer)
    with log.open("wb") as words:
        process = subprocess.Popen(
            [sys.executable, *CELERY, *QUIET], cwd=ROOT, env=variables, stdout=words, stderr=subprocess.STDOUT
        )
    try:
        yield
    finally:
        process.terminate()
        process.wait(30)
