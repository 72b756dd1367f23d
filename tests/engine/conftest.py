"""A fake api on a loopback port, and workers that talk to it."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from uuid import uuid4

import pytest

from engine import bootstrap
from engine.clients.api import ApiClient
from engine.runtime.worker import Worker
from tests.engine.fake_api import KEYS, FakeApi
from tests.engine.server import serving


@pytest.fixture
def api() -> FakeApi:
    return FakeApi()


@pytest.fixture
async def address(api: FakeApi) -> AsyncIterator[str]:
    async with serving(api.app()) as url:
        yield url


@pytest.fixture
async def make_worker(address: str) -> AsyncIterator[Callable[[], Worker]]:
    made = list[Worker]()

    def make() -> Worker:
        worker = Worker(bootstrap.AGENTS, lambda: ApiClient(address, KEYS), bootstrap.now, time.monotonic, uuid4)
        made.append(worker)
        return worker

    yield make
    for worker in made:
        for task in worker.heart._tasks:
            task.cancel()
        await asyncio.gather(*worker.heart._tasks, return_exceptions=True)
        await worker.heart.api.__aexit__()


@pytest.fixture
def worker(make_worker: Callable[[], Worker]) -> Worker:
    return make_worker()
