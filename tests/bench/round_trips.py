"""Round trips of a bare Celery worker over the house's broker, in a process and a worker of their own."""

import json
import os
import subprocess
import sys

from tests.bench.places import ROOT
from tests.bench.sizes import WAKES

WORKER = ("-m", "celery", "-A", "tests.bench.bare_celery", "worker", "-P", "threads", "-c", "4", "-Q", "bench")
QUIET = ("--without-gossip", "--without-mingle", "--without-heartbeat", "-l", "ERROR")
WARM_UP = 5


def celery_ms(broker_url: str) -> list[float]:
    environment = {**os.environ, "BROKER_URL": broker_url}
    worker = subprocess.Popen([sys.executable, *WORKER, *QUIET], cwd=ROOT, env=environment, stdout=subprocess.DEVNULL)
    try:
        command = [sys.executable, "-m", "tests.bench.round_trips"]
        said = subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True, timeout=120)
        times: list[float] = json.loads(said.stdout)
        return times
    finally:
        worker.terminate()
        worker.wait(20)


if __name__ == "__main__":
    from tests.bench.bare_celery import round_trip_ms

    print(json.dumps([round_trip_ms() for _ in range(WARM_UP + WAKES)][WARM_UP:]))  # noqa: T201 - the answer
