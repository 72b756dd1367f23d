"""The engine's real processes with a real broker: a wake starts a turn, a duplicate starts none, SIGTERM hands over."""

import asyncio
import signal
import time
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from uuid import UUID, uuid4

import httpx
import pytest

from contracts import auth
from contracts.routes.engine import WAKE, Wake
from contracts.vocabulary import TurnStatus
from tests.engine.fake_api import KEYS, FakeApi
from tests.engine.processes import CELERY, QUIET, environment, free_port, running
from tests.engine.scripted import final


async def until(holds: Callable[[], object], seconds: float = 15) -> None:
    """Return as soon as `holds()`."""
    async with asyncio.timeout(seconds):
        while not holds():  # noqa: ASYNC110 - the change comes from another process
            await asyncio.sleep(0.02)


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Path]:
    file = tmp_path / "engine.log"
    yield file
    print(file.read_text() if file.exists() else "")  # noqa: T201 - shown when the test fails


@pytest.fixture
async def engine(address: str, log: Path) -> AsyncIterator[str]:
    """The address of the engine's HTTP service, when it answers."""
    port = free_port()
    arguments = ("daphne", "-b", "127.0.0.1", "-p", str(port), "--no-server-name", "engine.http.app:application")
    with running(log, *arguments, **environment(address)):
        url = f"http://127.0.0.1:{port}"
        async with httpx.AsyncClient(trust_env=False) as client:
            await asyncio.wait_for(_answering(client, url), 20)
        yield url


async def _answering(client: httpx.AsyncClient, url: str) -> None:
    while True:
        try:
            await client.get(f"{url}/livez")
        except httpx.TransportError:
            await asyncio.sleep(0.05)
        else:
            return


async def wake(url: str, instance_id: UUID, agent: str = "creative") -> httpx.Response:
    """What the api's relay sends."""
    body = Wake(instance_id=instance_id, agent=agent, seq=1).model_dump_json().encode()
    request = auth.Request("POST", WAKE.target(), body, int(time.time()), auth.ENGINE, idempotency_key=str(uuid4()))
    async with httpx.AsyncClient(trust_env=False, timeout=10) as client:
        return await client.post(url + WAKE.target(), content=body, headers=auth.sign(KEYS[0], request))


async def test_a_wake_becomes_a_turn_and_a_doubled_wake_does_not_become_two(
    api: FakeApi, address: str, engine: str, log: Path
) -> None:
    api.say("Olá")
    with running(log, *CELERY, *QUIET, **environment(address)):
        answers = [await wake(engine, api.instance_id) for _ in range(3)]
        assert [(answer.status_code, answer.json()) for answer in answers] == [(200, {"queued": True})] * 3
        await until(lambda: api.ends)
        await until(lambda: len([1 for name, _ in api.requests if name == "claim"]) >= 1)
        await asyncio.sleep(0.5)
    assert api.ends == [(TurnStatus.COMPLETED, None)]
    assert len(api.model.calls) == 1


async def test_sigterm_lets_a_call_in_flight_finish_then_hands_the_turn_over(
    api: FakeApi, address: str, engine: str, log: Path
) -> None:
    api.say("Olá")
    api.model.gate = asyncio.Event()
    api.model.answers = [final("Vou ver.", ("nothing_like_that", "{}")), final("Pronto.")]
    with running(log, *CELERY, *QUIET, **environment(address)) as process:
        await wake(engine, api.instance_id)
        await asyncio.wait_for(api.model.streaming.wait(), 15)
        process.send_signal(signal.SIGTERM)
        await asyncio.sleep(0.5)
        api.model.gate.set()
        await until(lambda: process.poll() is not None, 10)
        assert process.returncode == 0
    assert api.types()[-2:] == ["agent.response", "tool.call"]
    assert (api.turn_id is not None, api.worker) == (True, None)
    with running(log, *CELERY, *QUIET, **environment(address)):
        await wake(engine, api.instance_id)
        await until(lambda: api.ends)
    assert api.ends == [(TurnStatus.COMPLETED, None)]
    assert len(api.model.calls) == 2


async def test_a_worker_that_was_killed_is_replaced_at_the_saved_step(
    api: FakeApi, address: str, engine: str, log: Path, tmp_path: Path
) -> None:
    api.say("Olá")
    (tmp_path / "after_save_before_perform.hold").touch()
    paused = {"MUTIRAO_PAUSE_AT": "after_save_before_perform", "MUTIRAO_PAUSE_DIR": str(tmp_path)}
    with running(log, *CELERY, *QUIET, **environment(address, **paused)) as process:
        await wake(engine, api.instance_id)
        await until((tmp_path / "after_save_before_perform.reached").exists)
        process.kill()
    api.worker = None  # the lease ran out
    with running(log, *CELERY, *QUIET, **environment(address)):
        await wake(engine, api.instance_id)
        await until(lambda: api.ends)
    assert api.types() == ["chat.message", "turn.started", "agent.response", "turn.ended"]


async def test_a_wake_that_nobody_signed_is_refused(engine: str) -> None:
    async with httpx.AsyncClient(trust_env=False) as client:
        answer = await client.post(engine + WAKE.target(), content=b"{}", headers={"X-Request-ID": "story-1"})
    assert (answer.status_code, answer.json()["code"]) == (401, "signature_invalid")
    assert answer.json()["request_id"] == answer.headers["X-Request-ID"] == "story-1"


async def test_a_wake_for_an_agent_outside_the_roster_is_refused(engine: str) -> None:
    answer = await wake(engine, uuid4(), "nobody")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


async def test_the_service_is_live_ready_and_says_its_version(engine: str) -> None:
    async with httpx.AsyncClient(trust_env=False) as client:
        answers = [await client.get(f"{engine}/{name}") for name in ("livez", "readyz", "version")]
    assert [answer.status_code for answer in answers] == [200, 200, 200]


async def test_without_a_broker_a_wake_is_refused_quickly_and_readiness_says_so(
    address: str, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    port, nobody = free_port(), f"redis://127.0.0.1:{free_port()}/0"
    arguments = ("daphne", "-b", "127.0.0.1", "-p", str(port), "--no-server-name", "engine.http.app:application")
    url = f"http://127.0.0.1:{port}"
    with running(log, *arguments, **environment(address, BROKER_URL=nobody)):
        async with httpx.AsyncClient(trust_env=False) as client:
            await asyncio.wait_for(_answering(client, url), 20)
            began = time.monotonic()
            answer = await wake(url, uuid4())
            took = time.monotonic() - began
            ready = await client.get(f"{url}/readyz", timeout=10)
    assert (answer.status_code, answer.json()["code"], took < 3) == (503, "unavailable", True)
    assert ready.status_code == 503
