"""How long a turn waits for the second worker after its own was killed."""

import os
import signal
import time

import psycopg

from tests.bench.running_house import WORKERS, RunningHouse
from tests.bench.sizes import TAKEOVERS

GIVE_UP_S = 40.0
EPOCH = "SELECT epoch, turn_id FROM agents_instance WHERE session_id = %s"
LONG_ANSWER = "@plain 600 100 @"
SETTLE_S = 10.0


def takeover_s(house: RunningHouse) -> list[float]:
    """Both workers have long been up at each kill; seconds until the turn is claimed again."""
    project_id = house.project()
    return [seconds for _ in range(TAKEOVERS) if (seconds := _one(house, project_id)) is not None]


def _one(house: RunningHouse, project_id: str) -> float | None:
    """Turns run on both workers; one dies; the first turn that is claimed anew is timed."""
    talks = [house.talk(project_id) for _ in WORKERS * 4]
    for talk in talks:
        talk.say(LONG_ANSWER)
    with psycopg.connect(house.owner_url, autocommit=True) as database:
        before = _epochs(database, [talk.session_id for talk in talks], until_running=True)
        victim = house.stack.pids[WORKERS[0]]
        os.kill(victim, signal.SIGKILL)
        took = _until_claimed(database, before)
    for talk in talks:
        talk.stop()
    house.stack.await_restart(WORKERS[0], victim)
    time.sleep(SETTLE_S)
    return took


def _until_claimed(database: "psycopg.Connection[tuple[object, ...]]", before: dict[str, int]) -> float | None:
    began = time.monotonic()
    while time.monotonic() - began < GIVE_UP_S:
        now = _epochs(database, list(before))
        if any(now[session] > before[session] for session in before):
            return time.monotonic() - began
        time.sleep(0.05)
    return None


def _epochs(
    database: "psycopg.Connection[tuple[object, ...]]", sessions: list[str], *, until_running: bool = False
) -> dict[str, int]:
    deadline = time.monotonic() + GIVE_UP_S
    while True:
        rows = {session: database.execute(EPOCH, [session]).fetchone() for session in sessions}
        if not until_running or all(row is not None and row[1] is not None for row in rows.values()):
            return {session: int(str(row[0])) for session, row in rows.items() if row is not None}
        if time.monotonic() > deadline:
            raise RuntimeError("the turns did not begin")
        time.sleep(0.05)
