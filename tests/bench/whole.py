"""The house's part of a run: `python -m tests.bench.whole` prints its figures."""

import json
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from deploy.launcher import ports
from tests.bench import detailing, dying, idling, many_streams, round_trips, waking
from tests.bench.clocks import percentile
from tests.bench.document import Start, WholeHouse
from tests.bench.running_house import RunningHouse, running
from tests.plugins.stack import Stack

Found = TypeVar("Found")


def measure() -> dict[str, object]:
    folder = Path(tempfile.mkdtemp(prefix="mutirao-house-"))
    folder.chmod(0o755)
    try:
        start: Start = {"cold_start_s": _cold_start_s(folder)}
        with running(folder, ports.free_port()) as house:
            return {**_figures(house), **start}
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _cold_start_s(folder: Path) -> float:
    """An empty home, one worker, nothing to install."""
    stack = Stack(folder, ports.free_port())
    began = time.monotonic()
    try:
        stack.start()
        return time.monotonic() - began
    finally:
        stack.stop()


def _figures(house: RunningHouse) -> WholeHouse:
    woken = _timed("waking", lambda: waking.to_provider_ms(house))
    bare = _timed("celery", lambda: round_trips.celery_ms(house.plan.addresses.broker_url))
    idle = _timed("idle", lambda: idling.percent(house))
    takeovers = _timed("takeover", lambda: dying.takeover_s(house))
    detailed = _timed("detailing", lambda: detailing.seconds(house))
    crowd = _timed("streams", lambda: many_streams.run(house))
    return {
        "accept_to_provider_ms_p50": percentile(woken, 50),
        "accept_to_provider_ms_p95": percentile(woken, 95),
        "celery_roundtrip_ms_p95": percentile(bare, 95),
        "streams_completed": crowd.completed,
        "memory_per_stream_kb": crowd.kb_each,
        "delta_to_browser_ms_p95": percentile(crowd.late_ms, 95),
        "detail_50_stories_s": detailed,
        "takeover_s_p50": percentile(takeovers, 50),
        "idle_cpu_percent": idle,
    }


def _timed(name: str, measure: Callable[[], Found]) -> Found:
    began = time.monotonic()
    found = measure()
    print(f"{name}: {time.monotonic() - began:.1f} s", file=sys.stderr)  # noqa: T201 - progress
    return found


if __name__ == "__main__":
    print(json.dumps(measure()))  # noqa: T201 - this process's answer
