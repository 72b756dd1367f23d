"""R4: Valkey frozen, killed or emptied: a person's decision is taken at once, and a page is live again in seconds."""

import json
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from uuid import UUID

import pytest
import redis

from contracts.events import HandoffOffered
from tests.chaos import director, summary
from tests.fakes.raw_socket import RawSocket
from tests.plugins.house import House
from tests.system.person import Person, Talk
from tests.system.stopping import bound
from tests.system.test_story_rest import judge, settle

LONGEST_SECONDS = 60.0
DECIDED_SECONDS = 3.0
BACK_SECONDS = 10.0
"""Five are promised, and a ping comes each four: a slow machine has twice that."""


@contextmanager
def frozen(house: House, seconds: float) -> Iterator[None]:
    pid = house.stack.kill("valkey", signal.SIGSTOP)
    waking = threading.Timer(seconds, os.kill, (pid, signal.SIGCONT))
    waking.start()
    yield
    waking.join()


@contextmanager
def killed(house: House, seconds: float) -> Iterator[None]:
    """The launcher starts it again, empty or not."""
    del seconds
    pid = house.stack.kill("valkey")
    yield
    house.recovery_seconds("valkey", pid)


@contextmanager
def emptied(house: House, seconds: float) -> Iterator[None]:
    del seconds
    server = house.plan.server
    assert server is not None
    with redis.Redis.from_url(server.admin_url) as client:
        client.flushall()
    yield


@pytest.mark.timeout(0)
@pytest.mark.parametrize("away", [frozen, killed, emptied])
def test_a_decision_waits_for_no_valkey_and_pages_are_live_soon_after_it_is_back(
    house: House,
    request: pytest.FixtureRequest,
    capsys: pytest.CaptureFixture[str],
    away: Callable[[House, float], AbstractContextManager[None]],
) -> None:
    """`make chaos OUTAGES=5,60`: what is beyond a minute counts as a minute."""
    house.models.otherwise = director.answer
    figures = dict[str, list[float]]()
    for seconds in request.config.getoption("--outages").split(","):
        talk = bound(house, Person(house.stack))
        handoff_id = _offered(talk)
        page = _page(house, talk)
        with away(house, min(float(seconds), LONGEST_SECONDS)):
            began = time.monotonic()
            talk.person.act("POST", f"handoffs/{handoff_id}/accept", {})
            decided = time.monotonic() - began
        began = time.monotonic()
        said = talk.say("and music?")
        _hear(page, said.seq)
        figures[seconds] = [round(decided, 3), round(time.monotonic() - began, 3)]
        settle(talk)
        assert talk.of_type("handoff.accepted")
        assert judge(house, talk) == []
        assert talk.person.failures == []
    summary.RESULTS[f"valkey_{away.__name__}_decided_and_back_s"] = figures
    with capsys.disabled():
        print(f"\n{json.dumps(figures)}", flush=True)  # noqa: T201
    assert max(decided for decided, _ in figures.values()) <= DECIDED_SECONDS
    assert max(back for _, back in figures.values()) <= BACK_SECONDS


def _offered(talk: Talk) -> UUID:
    """The whole way to a handoff that waits for its person."""
    for text in ("a market", director.RULES + "Late stands pay"):
        talk.say(text)
        settle(talk)
    talk.person.act("POST", f"{talk.path}/readiness", {})
    settle(talk)
    offered = talk.of_type("handoff.offered")[-1].payload
    assert isinstance(offered, HandoffOffered)
    return offered.handoff_id


def _page(house: House, talk: Talk) -> RawSocket:
    token = {"Authorization": f"Bearer {house.stack.run['token']}"}
    return RawSocket.open(house.stack.port, f"/ws/sessions/{talk.session_id}/?after={talk.events[-1].seq}", token)


def _hear(page: RawSocket, seq: int) -> None:
    """Until this event has come by the socket that was open all the time."""
    while True:
        message = json.loads(page.text())
        if message["kind"] == "event" and message["event"]["seq"] == seq:
            return
