"""A running Mutirão that may be hurt: two workers, every pause point armed, a model server at hand."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

import pytest

from api.rooms.kernel import pauses as api_pauses
from deploy.launcher import options, plan, ports
from engine.runtime import pauses as engine_pauses
from tests.fakes.model_server import ModelServer
from tests.plugins.network import Network, between
from tests.plugins.stack import Stack, answers, wait_until

API_POINTS: tuple[str, ...] = get_args(api_pauses.Point)
ENGINE_POINTS: tuple[str, ...] = get_args(engine_pauses.Point)
BEFORE_CLAIM: api_pauses.Point | engine_pauses.Point = "before_claim"
RECOVERY_SECONDS = 60.0
WORKERS = ("engine-worker-1", "engine-worker-2")


@dataclass(frozen=True)
class House:
    """Points hold a process only while their `.hold` file lies in `pauses`."""

    stack: Stack
    pauses: Path
    models: ModelServer
    network: Network | None = None
    """Where the wires between the services may be hurt."""

    @property
    def plan(self) -> plan.Plan:
        """Its addresses and secrets, as the launcher knows them."""
        given = {"MUTIRAO_HOME": str(self.stack.home), "PORT": str(self.stack.port)}
        return plan.redraw(options.from_environment(given))

    def start(self) -> None:
        """Start it, or start it again after everything died."""
        (self.stack.home / "run.json").unlink(missing_ok=True)
        self.stack.start(
            MUTIRAO_WORKERS=str(len(WORKERS)),
            MUTIRAO_PAUSE_AT=",".join((*API_POINTS, *ENGINE_POINTS)),
            MUTIRAO_PAUSE_DIR=str(self.pauses),
            MUTIRAO_ALLOW_PRIVATE_BASE_URLS="1",
            MUTIRAO_REHEARSAL_DELAY_MS="5",
            MUTIRAO_RATE_LIMITS="0",
            **(self.network.variables() if self.network else {}),
        )

    def recovery_seconds(self, name: str, old_pid: int) -> float:
        """From now until the successor of `old_pid` is at work; a worker and the relay cannot be asked."""
        began = time.monotonic()
        self.stack.await_restart(name, old_pid, RECOVERY_SECONDS)
        asked = {
            **dict.fromkeys(("api", "postgres"), self.stack.url),
            **dict.fromkeys(("engine-http", "valkey"), self.plan.addresses.engine_url),
        }
        if name in asked:
            wait_until(lambda: answers(f"{asked[name]}/readyz"), RECOVERY_SECONDS, self.stack.words)
        return time.monotonic() - began

    def arm(self, point: str) -> None:
        """The next process that comes to `point` stays there."""
        (self.pauses / f"{point}.reached").unlink(missing_ok=True)
        (self.pauses / f"{point}.hold").touch()

    def caught(self, point: str, seconds: float) -> int | None:
        """The pid of the process that is held there; null when none came."""
        reached = self.pauses / f"{point}.reached"
        try:
            wait_until(lambda: reached.exists() and reached.read_text(), seconds)
        except AssertionError:
            return None
        return int(reached.read_text())

    def let_go(self, point: str) -> None:
        """Nobody is held there any more."""
        (self.pauses / f"{point}.hold").unlink(missing_ok=True)


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """One for the session."""
    folder = tmp_path_factory.mktemp("pauses")
    stack = Stack(tmp_path_factory.mktemp("house"), ports.free_port())
    try:
        with ModelServer() as models:
            house = House(stack, folder, models)
            house.start()
            yield house
    finally:
        stack.stop()


@pytest.fixture
def waiting(house: House) -> Iterator[None]:
    """The house's own workers stand before their claims until the test lets them go."""
    house.arm(BEFORE_CLAIM)
    yield
    house.let_go(BEFORE_CLAIM)


@pytest.fixture(scope="session")
def wired_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """One whose wires go through proxies."""
    folder = tmp_path_factory.mktemp("pauses")
    stack = Stack(tmp_path_factory.mktemp("wired"), ports.free_port())
    try:
        with ModelServer() as models, between(stack) as network:
            house = House(stack, folder, models, network)
            house.start()
            yield house
    finally:
        stack.stop()
