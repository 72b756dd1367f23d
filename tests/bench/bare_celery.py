"""A Celery with nothing in it: one round trip through the same broker is what a wake cannot be faster than."""

import os
import time
from typing import Any

import redis
from celery import Celery

ANSWERS = "engine:bench:answers"
BROKER = os.environ["BROKER_URL"]
app = Celery("bench", broker=BROKER, fixups=[])
app.conf.update(
    task_ignore_result=True,
    task_default_queue="bench",
    worker_disable_prefetch=True,
    worker_enable_remote_control=False,
    broker_transport_options={"global_keyprefix": "engine:"},
)
server: Any = redis.Redis.from_url(BROKER)


@app.task(name="bench.echo")
def echo(number: int) -> None:
    """Answer over the same server."""
    server.rpush(ANSWERS, number)


def round_trip_ms() -> float:
    began = time.monotonic()
    app.send_task("bench.echo", args=[1], queue="bench", retry=False, ignore_result=True)
    if server.blpop([ANSWERS], timeout=30) is None:
        raise RuntimeError("the bare worker did not answer")
    return (time.monotonic() - began) * 1000
