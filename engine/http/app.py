"""The engine's HTTP service as an ASGI server loads it."""

import asyncio
import logging

import kombu.transport.redis  # noqa: F401 - loaded now, so that the first wake does not wait for it

from contracts import story
from contracts.edge import Edge
from engine import roll
from engine.celery import LOOK, REQUEST_ID, SETTINGS, SOCKET_SECONDS, app
from engine.guard import refuse_django
from engine.http.measuring import Figures, Requests
from engine.http.publisher import Publisher
from engine.http.routes import Doors
from engine.http.routes import application as make

# One try and no waiting in between: the api's relay tries again, and a request must not.
ONCE = {"max_retries": 1, "interval_start": 0, "interval_step": 0, "interval_max": 0, "socket_timeout": SOCKET_SECONDS}
app.conf.broker_transport_options = {**app.conf.broker_transport_options, **ONCE}


def send(instance_id: str, queue: str) -> None:
    """Publish one look; no retry, since the api's relay tries again."""
    headers = {REQUEST_ID: story.current_request()}
    app.send_task(LOOK, args=[instance_id], queue=queue, retry=False, ignore_result=True, headers=headers)


def _answers() -> bool:
    with app.connection_for_write() as connection:
        connection.ensure_connection(max_retries=1, interval_start=0)
        return bool(connection.connected)


def depths() -> dict[str, int]:
    """Looks that wait in each queue; raises kombu's and the system's errors when the broker is away."""
    with app.connection_for_read() as connection:
        connection.ensure_connection(max_retries=1, interval_start=0)
        channel = connection.channel()
        return {queue.name: queue(channel).queue_declare().message_count for queue in app.conf.task_queues}


async def is_ready() -> bool:
    """Whether the broker answers, within two seconds."""
    try:
        async with asyncio.timeout(SOCKET_SECONDS):
            return await asyncio.to_thread(_answers)
    except Exception:  # noqa: BLE001 - any reason at all means not ready
        return False


refuse_django()
figures = Figures(depths, roll.at(SETTINGS.broker_url))
doors = Doors(SETTINGS.api_to_engine_keys, Publisher(send).publish, is_ready, SETTINGS.metrics_token, figures.text)
routes = make(doors)
application = Edge(routes, logging.getLogger("engine.access"), Requests())
