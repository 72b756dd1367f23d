"""Every wake and every Celery message again and again: both only say "look"."""

import random
import threading
import time

import httpx
import psycopg
from celery import Celery
from kombu.exceptions import KombuError

from contracts import auth
from contracts.routes.engine import WAKE, Wake
from contracts.vocabulary import Queue
from tests.chaos.ledger import Ledger
from tests.plugins.house import House

WANTED = """
SELECT id, agent, wanted_seq FROM agents_instance
WHERE lease_worker IS NOT NULL OR turn_id IS NOT NULL OR wanted_seq > cursor_seq
"""


def deliver_again(house: House, ledger: Ledger, dice: random.Random, over: threading.Event) -> int:
    """Both ways, two to five times each, for whatever is awake; how many were sent."""
    broker, sent = publisher(house), 0
    while not over.is_set():
        try:
            awake = ledger.ask(WANTED)
        except psycopg.Error:
            awake = []
        for row in awake:
            for _ in range(dice.randint(2, 5)):
                sent += post_wake(house, Wake(instance_id=row["id"], agent=row["agent"], seq=row["wanted_seq"]))
                sent += publish(broker, str(row["id"]))
        time.sleep(0.05)
    return sent


def publisher(house: House) -> Celery:
    """A publisher beside the engine's own."""
    broker = Celery("chaos", broker=house.plan.addresses.broker_url, fixups=[])
    broker.conf.broker_transport_options = {"global_keyprefix": "engine:", "max_retries": 1, "socket_timeout": 2.0}
    return broker


def publish(broker: Celery, instance_id: str) -> int:
    """One look on the queue of conversations; 0 when the broker is away."""
    try:
        broker.send_task("engine.look", args=[instance_id], queue=Queue.CONVERSATION.value, retry=False)
    except (OSError, KombuError):
        return 0
    return 1


def post_wake(house: House, wake: Wake) -> int:
    """One wake, signed as the relay signs it; 0 when the engine is away."""
    key = auth.parse_keys(house.plan.keyring.api_to_engine_keys)[0]
    body = wake.model_dump_json().encode()
    signed = auth.Request("POST", WAKE.target(), body, int(time.time()), auth.ENGINE)
    headers = {**auth.sign(key, signed), "Content-Type": "application/json"}
    try:
        url = house.plan.addresses.engine_url + WAKE.target()
        return int(httpx.post(url, content=body, headers=headers, timeout=3, trust_env=False).is_success)
    except httpx.HTTPError:
        return 0
