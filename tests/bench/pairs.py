"""Reserve and settle on one hot workspace: sixteen threads in two processes, PostgreSQL with fsync."""

import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from uuid import UUID

PROCESSES, THREADS = 2, 8


def per_second(seconds: float) -> float:
    """Pairs a second of all processes together."""
    from api.rooms.kernel.ids import new_id

    workspace, project = str(new_id()), str(new_id())
    command = [sys.executable, "-m", "tests.bench.pairs", workspace, project, str(seconds)]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(PROCESSES)]
    return sum(float(each.communicate(timeout=60)[0]) for each in running)


def _run(workspace: str, project: str, seconds: float) -> float:
    import django

    django.setup()
    from api.rooms.kernel.ids import new_id

    sessions = [new_id() for _ in range(THREADS)]
    with ThreadPoolExecutor(THREADS) as threads:
        list(threads.map(lambda session: _caller(workspace, project, session, 0.3), sessions))
        began = time.monotonic()
        done = sum(threads.map(lambda session: _caller(workspace, project, session, seconds), sessions))
    return done / (time.monotonic() - began)


def _caller(workspace: str, project: str, session: UUID, seconds: float) -> int:
    from api.rooms.budgets import services as budgets
    from api.rooms.budgets.domain.metering import HoldKey
    from api.rooms.budgets.domain.places import Place
    from api.rooms.kernel.ids import new_id
    from tests.api.budgets.load import metering

    place, done, until = Place(UUID(workspace), UUID(project), session), 0, time.monotonic() + seconds
    while time.monotonic() < until:
        hold = new_id()
        budgets.reserve(hold, HoldKey(new_id(), 1, 0, 1), place, 500)
        budgets.settle(hold, metering(300))
        done += 1
    return done


if __name__ == "__main__":
    print(_run(sys.argv[1], sys.argv[2], float(sys.argv[3])))  # noqa: T201 - this process's answer
