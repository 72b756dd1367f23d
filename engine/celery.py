"""Celery's app: queues, the task that says "look", and the loop that every process has one of."""

from functools import cached_property
from typing import Any
from uuid import UUID

from celery import Celery, bootsteps
from celery.signals import setup_logging, worker_shutting_down
from kombu import Queue as KombuQueue

from contracts import story
from contracts.vocabulary import Queue
from engine import bootstrap, logs, roll, settings
from engine.guard import refuse_django
from engine.runtime.loop import LoopThread
from engine.runtime.worker import Worker

logs.start()
SETTINGS = settings.or_exit()
LOOK = "engine.look"
REQUEST_ID = "mutirao_request_id"
SOCKET_SECONDS = 2.0

# No fixups: Celery would load Django where it finds DJANGO_SETTINGS_MODULE.
app = Celery("engine", broker=SETTINGS.broker_url, fixups=[])
app.conf.update(
    task_serializer="json",
    result_serializer="json",
    accept_content=["json"],
    task_ignore_result=True,
    task_acks_late=False,
    task_queues=[KombuQueue(queue.value) for queue in Queue],
    task_default_queue=Queue.HOUSEKEEPING.value,
    task_create_missing_queues=False,
    worker_disable_prefetch=True,
    worker_enable_remote_control=False,
    worker_redirect_stdouts=False,
    worker_send_task_events=False,
    broker_connection_retry_on_startup=True,
    broker_transport_options={
        "global_keyprefix": "engine:",
        "socket_connect_timeout": SOCKET_SECONDS,
    },
)


class Process:
    """What one worker process has once; made on first use, so that whoever only publishes never pays for it."""

    @cached_property
    def loop(self) -> LoopThread:
        """The one asyncio loop."""
        return LoopThread()

    @cached_property
    def worker(self) -> Worker:
        """The one worker, named anew at each start."""
        return bootstrap.worker(SETTINGS)


process = Process()


class LoopStep(bootsteps.StartStopStep):
    """Starts the loop before the pool takes tasks. It is left running: Celery stops steps before the pool drains."""

    requires = ("celery.worker.components:Pool",)

    def start(self, parent: Any) -> None:
        """Fail here, at start, when the process is not what it must be."""
        refuse_django()
        worker = process.worker
        process.loop.call(worker.heart.start)
        if (ours := roll.at(SETTINGS.broker_url)) is not None:
            slots = parent.concurrency
            process.loop.submit(roll.tell_for_ever(ours, worker.boot_id, lambda: _told(worker, slots)))

    def stop(self, parent: Any) -> None:
        """Leave it running."""

    def terminate(self, parent: Any) -> None:
        """Leave it running."""


def _told(worker: Worker, slots: int) -> roll.Told:
    leased = sum(running.epoch is not None for running in worker.running.values())
    return roll.Told(slots, len(worker.running), leased, worker.is_draining)


app.steps["worker"].add(LoopStep)


@worker_shutting_down.connect(weak=False)
def drain(**_: Any) -> None:
    """Runs on the main thread in a signal's wake: only tell the loop."""
    process.loop.call(process.worker.drain)


@setup_logging.connect(weak=False)
def _log_as_we_do(**_: Any) -> None:
    """Somebody listens, so Celery sets no handlers of its own."""


@app.task(name=LOOK, bind=True)
def look(task: Any, instance_id: str) -> None:
    """Run the instance on the loop; the slot waits, so that Celery's accounting of slots holds."""
    with story.told(request_id=story.request_id(task.request.get(REQUEST_ID)), instance_id=instance_id):
        process.loop.submit(process.worker.look(UUID(instance_id))).result()
