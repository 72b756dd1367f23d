"""The engine's `/metrics`, from real processes with a real broker: queues, workers, requests, for operators alone."""

import asyncio
import os
import re
from collections.abc import AsyncIterator
from pathlib import Path
from uuid import uuid4

import httpx
import pytest

from engine import roll
from engine.http.measuring import Figures
from tests.engine.fake_api import FakeApi
from tests.engine.processes import CELERY, QUIET, environment, free_port, running
from tests.engine.scripted import final
from tests.engine.test_celery import _answering, until, wake

TOKEN = "t" * 40


def value(text: str, series: str) -> float:
    """Of one line of the text; raises when there is none."""
    found = re.search(rf"^{re.escape(series)} (\S+)$", text, re.MULTILINE)
    assert found, f"{series} is not in:\n{text}"
    return float(found.group(1))


@pytest.fixture
async def engine(address: str, tmp_path: Path) -> AsyncIterator[str]:
    port = free_port()
    arguments = ("daphne", "-b", "127.0.0.1", "-p", str(port), "--no-server-name", "engine.http.app:application")
    with running(tmp_path / "http.log", *arguments, **environment(address, MUTIRAO_METRICS_TOKEN=TOKEN)):
        url = f"http://127.0.0.1:{port}"
        async with httpx.AsyncClient(trust_env=False) as client:
            await asyncio.wait_for(_answering(client, url), 20)
        yield url


async def read(url: str, token: str = TOKEN) -> httpx.Response:
    async with httpx.AsyncClient(trust_env=False) as client:
        return await client.get(f"{url}/metrics", headers={"Authorization": f"Bearer {token}"} if token else {})


async def test_it_speaks_to_operators_alone(engine: str) -> None:
    assert [(await read(engine, token)).status_code for token in ("", "x" * 40, TOKEN)] == [404, 404, 200]


async def test_wakes_that_nobody_takes_stand_in_their_queue(api: FakeApi, engine: str) -> None:
    before = value((await read(engine)).text, 'mutirao_engine_queue_depth{queue="conversation"}')
    await wake(engine, uuid4())
    await asyncio.sleep(5.1)  # the broker is asked at most every five seconds
    text = (await read(engine)).text
    assert value(text, 'mutirao_engine_queue_depth{queue="conversation"}') == before + 1
    assert value(text, 'mutirao_engine_wakes_total{queue="conversation"}') == 1
    assert value(text, "mutirao_engine_broker_up") == 1
    assert value(text, 'mutirao_http_request_seconds_count{method="POST",route="internal/v1/wake"}') == 1
    assert value(text, 'mutirao_http_requests_total{method="POST",route="internal/v1/wake",status="200"}') == 1


async def test_what_workers_run_is_told_while_they_run_it(
    api: FakeApi, address: str, engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    api.say("Olá")
    api.model.gate = asyncio.Event()
    api.model.answers = [final("Pronto.")]
    ours = roll.Roll(os.environ["BROKER_URL"])
    with running(tmp_path / "worker.log", *CELERY, *QUIET, **environment(address)):
        await wake(engine, api.instance_id)
        await asyncio.wait_for(api.model.streaming.wait(), 15)
        await until(lambda: any(told.leased for told in ours.read()))
        figures = Figures(dict, ours).text().decode()
        assert value(figures, 'mutirao_engine_workers{state="working"}') >= 1
        assert value(figures, "mutirao_engine_slots") >= 8
        assert value(figures, "mutirao_engine_activations") == 1
        assert value(figures, "mutirao_engine_instances") == 1
        api.model.gate.set()
        await until(lambda: api.ends)


def test_a_worker_that_says_nothing_any_more_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    ours = roll.Roll(os.environ["BROKER_URL"])
    boot_id = uuid4()
    ours.tell(boot_id, roll.Told(slots=77, running=0, leased=0, is_draining=True))
    assert 77 in [told.slots for told in ours.read()]
    ours._server.delete(f"engine:worker:{boot_id}")  # as its time to live does
    assert 77 not in [told.slots for told in ours.read()]
    assert str(boot_id) not in ours._server.smembers(roll.ROLL)


def test_a_broker_that_is_away_is_said_and_nothing_is_made_up() -> None:
    gone = roll.Roll(f"redis://127.0.0.1:{free_port()}/0")
    text = Figures(dict, gone).text().decode()
    assert value(text, "mutirao_engine_broker_up") == 0
    assert [name for name in ("mutirao_engine_workers", "mutirao_engine_queue_depth") if f"\n{name}" in text] == []
