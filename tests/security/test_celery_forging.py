"""Threat 22: whoever writes into the broker moves nothing. A task carries an id; what it may do is asked of the api."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
import redis
from celery import Celery

from tests.engine.conftest import address, api
from tests.engine.fake_api import FakeApi
from tests.engine.processes import CELERY, QUIET, environment, running
from tests.engine.test_celery import until
from tests.plugins.services import SERVICES

__all__ = ["address", "api"]
LOOK = "engine.look"
QUEUE = "conversation"


class Bomb:
    """Unpickled, it would leave a file."""

    def __init__(self, canary: Path) -> None:
        self.canary = canary

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        return Path.touch, (self.canary,)


@pytest.fixture
def forger() -> Celery:
    """Somebody who holds the broker's password."""
    app = Celery("forger", broker=os.environ["BROKER_URL"], fixups=[])
    app.conf.broker_transport_options = {"global_keyprefix": "engine:"}
    return app


@pytest.fixture
async def worker(api: FakeApi, address: str, tmp_path: Path) -> AsyncIterator[Path]:
    """The log of a real worker."""
    log = tmp_path / "worker.log"
    with running(log, *CELERY, *QUIET, **environment(address)):
        await until(lambda: api.requests, 40)  # its first heartbeat
        yield log


def forge(forger: Celery, name: str, args: list[Any], **options: Any) -> None:
    forger.send_task(name, args=args, queue=QUEUE, **options)


async def test_no_forged_task_does_anything_and_each_is_logged(
    api: FakeApi, worker: Path, forger: Celery, tmp_path: Path
) -> None:
    canary = tmp_path / "canary"
    forge(forger, LOOK, [Bomb(canary)], serializer="pickle")
    forge(forger, "engine.run_anything", ["rm"])
    forge(forger, "celery.chord_unlock", ["x"])
    forge(forger, LOOK, ["../../etc/passwd"])
    forge(forger, LOOK, [])
    forge(forger, LOOK, [str(uuid4()), "and", "more"])
    forge(forger, LOOK, [str(api.instance_id)])
    await until(lambda: [name for name, _ in api.requests if name == "claim"])
    await until(lambda: worker.read_text().count("TypeError") >= 2)
    words = await asyncio.to_thread(worker.read_text)
    assert ("ContentDisallowed" in words, "engine.run_anything" in words, "badly formed" in words) == (True,) * 3
    assert not canary.exists()
    assert (api.ends, api.model.calls, api.types()) == ([], [], [])
    await asyncio.to_thread(wake_really, api, forger)
    await until(lambda: api.ends)


def wake_really(api: FakeApi, forger: Celery) -> None:
    """After all that the worker still works."""
    api.say("Olá")
    forge(forger, LOOK, [str(api.instance_id)])


def test_the_apis_own_user_of_valkey_cannot_reach_the_queues() -> None:
    """Who takes over the api gets no door to the workers beside the signed one."""
    with redis.Redis.from_url(SERVICES.server.api_url) as intruder, pytest.raises(redis.exceptions.NoPermissionError):
        intruder.lpush(f"engine:{QUEUE}", b"{}")
