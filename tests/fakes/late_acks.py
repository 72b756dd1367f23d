"""The engine's app as a careless operator might have it: `celery -A tests.fakes.late_acks worker -Q late`.

Messages are acknowledged only after the work, so a broker that does not wait for that gives them out again.
"""

import os
import sys
from typing import Any

from celery.signals import task_prerun
from kombu import Exchange, Queue

from engine.celery import app

LATE = "late"
OF_LATE = Queue(LATE, Exchange(LATE), LATE)

app.conf.update(task_acks_late=True, task_queues=[*app.conf.task_queues, OF_LATE])


@task_prerun.connect(weak=False)
def _tell(task_id: str, **_: Any) -> None:
    """What the test reads; in one piece, since many threads tell at once."""
    os.write(sys.stdout.fileno(), f"given {task_id}\n".encode())
