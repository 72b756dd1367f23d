"""The faults: each strikes a running house once, at a random moment or at a named point, and returns what it hurt."""

import os
import random
import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

import redis

from tests.chaos import wires
from tests.chaos.doubling import deliver_again
from tests.chaos.ledger import Ledger
from tests.chaos.takeover import Takeovers
from tests.plugins.house import API_POINTS, ENGINE_POINTS, WORKERS, House

CONTROL = "nothing"
CATCH_SECONDS = 12.0
FROZEN_SECONDS = 7.0
"""Longer than a lease."""
LONG_SECONDS = 25.0
"""Longer than the engine repeats a call."""
BLACK_HOLE_SECONDS = 4.0
VALKEY_AWAY_SECONDS = 60.0


@dataclass
class Scene:
    """Where a fault strikes. `restarts` are seconds from a death to readiness, by name."""

    house: House
    ledger: Ledger
    dice: random.Random
    takeovers: Takeovers
    restarts: dict[str, list[float]]
    over: threading.Event
    """Set when the stories of the round have ended."""


Strike = Callable[[Scene], str]
"""What was done, in a word; empty when nobody came to the point."""


def signalled(name: str, how: signal.Signals = signal.SIGKILL) -> Strike:
    """One process by name, at whatever it does at the moment."""

    def strike(scene: Scene) -> str:
        if name in WORKERS:
            scene.takeovers.killing(scene.house.stack.pids.get(name, 0))
        pid = scene.house.stack.kill(name, how)
        scene.restarts[name].append(scene.house.recovery_seconds(name, pid))
        return f"{how.name} {name}"

    return strike


def any_worker(scene: Scene) -> str:
    """One of the two, whichever: the other is there to take over."""
    return signalled(scene.dice.choice(WORKERS))(scene)


def terminated_worker(scene: Scene) -> str:
    """It hands over at a step's border."""
    return signalled(scene.dice.choice(WORKERS), signal.SIGTERM)(scene)


def all_workers(scene: Scene) -> str:
    """Nobody is there to take over until one is started again."""
    scene.takeovers.killing(alone=True)
    for name in WORKERS:
        scene.house.stack.kill(name)
    return "SIGKILL all workers"


def api_and_worker(scene: Scene) -> str:
    """Both ends of a stream at once."""
    scene.takeovers.killing(alone=True)
    scene.house.stack.kill(scene.dice.choice(WORKERS))
    scene.house.stack.kill("api")
    return "SIGKILL api and a worker"


def everything(scene: Scene) -> str:
    """The launcher dies and all go with it, databases included; then somebody starts it again."""
    process = scene.house.stack.process
    assert process is not None
    process.kill()
    process.wait()
    began = time.monotonic()
    scene.house.start()
    scene.restarts["everything"].append(time.monotonic() - began)
    return "SIGKILL launcher"


def held_at(point: str) -> Strike:
    """Kill whoever comes to `point`, while it is there."""

    def strike(scene: Scene) -> str:
        scene.house.arm(point)
        try:
            pid = _caught(scene, point)
            if pid is None:
                return ""
            if point in ENGINE_POINTS:
                scene.takeovers.killing(pid)
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        finally:
            scene.house.let_go(point)
        return f"SIGKILL at {point}"

    return strike


def _caught(scene: Scene, point: str) -> int | None:
    deadline = time.monotonic() + CATCH_SECONDS
    while time.monotonic() < deadline and not scene.over.is_set():
        pid = scene.house.caught(point, 0.2)
        if pid is not None:
            time.sleep(scene.dice.random() * 0.1)
            return pid
    return None


def frozen(names: tuple[str, ...], seconds: float) -> Strike:
    """Stopped and continued: a zombie that does not know what it missed."""

    def strike(scene: Scene) -> str:
        name = scene.dice.choice(names)
        pid = scene.house.stack.kill(name, signal.SIGSTOP)
        time.sleep(seconds)
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGCONT)
        return f"SIGSTOP {name} for {seconds:.0f} s"

    return strike


def zombie_at(point: str) -> Strike:
    """A worker that is frozen at `point` past its lease, and then goes on from there."""

    def strike(scene: Scene) -> str:
        scene.house.arm(point)
        try:
            pid = _caught(scene, point)
            if pid is None:
                return ""
            os.kill(pid, signal.SIGSTOP)
        finally:
            scene.house.let_go(point)
        time.sleep(FROZEN_SECONDS)
        os.kill(pid, signal.SIGCONT)
        return f"zombie at {point}"

    return strike


def nothing(scene: Scene) -> str:
    """The control: an unhurt round measures what the others are compared with."""
    del scene
    return "nothing"


def flush(scene: Scene) -> str:
    """Everything that Valkey holds is gone."""
    server = scene.house.plan.server
    assert server is not None
    with redis.Redis.from_url(server.admin_url) as client:
        client.flushall()
    return "FLUSHALL"


def doubled(scene: Scene) -> str:
    """Each wake and each Celery message comes two to five times, until the stories are over."""
    return f"{deliver_again(scene.house, scene.ledger, scene.dice, scene.over)} extra deliveries"


def wire(name: str) -> Strike:
    """One of the wires of a house that has them."""

    def strike(scene: Scene) -> str:
        assert scene.house.network is not None, f"{name!r} needs the wired house"
        which, how, seconds = wires.HURTS[name]
        wires.hurt(scene.house.network, which, how, seconds)
        return name

    return strike


FAULTS: dict[str, Strike] = {
    CONTROL: nothing,
    "api": signalled("api"),
    "relay": signalled("relay"),
    "engine-http": signalled("engine-http"),
    "worker": any_worker,
    "all workers": all_workers,
    "api and worker": api_and_worker,
    **{f"at {point}": held_at(point) for point in (*ENGINE_POINTS, *API_POINTS)},
    "valkey": signalled("valkey"),
    "flush": flush,
    "valkey frozen": frozen(("valkey",), BLACK_HOLE_SECONDS),
    "postgres": signalled("postgres"),
    "postgres restart": signalled("postgres", signal.SIGINT),
    "postgres frozen": frozen(("postgres",), BLACK_HOLE_SECONDS),
    "worker frozen": frozen(WORKERS, FROZEN_SECONDS),
    "api frozen": frozen(("api",), FROZEN_SECONDS),
    "api frozen long": frozen(("api",), LONG_SECONDS),
    "everything": everything,
    "relay frozen": frozen(("relay",), BLACK_HOLE_SECONDS),
    "zombie after effect": zombie_at("after_effect_before_save"),
    "zombie after reply": zombie_at("after_reply_before_save"),
    "zombie before perform": zombie_at("after_save_before_perform"),
    "doubled": doubled,
    "api terminated": signalled("api", signal.SIGTERM),
    "relay terminated": signalled("relay", signal.SIGTERM),
    "worker terminated": terminated_worker,
    "valkey frozen long": frozen(("valkey",), VALKEY_AWAY_SECONDS),
    **{name: wire(name) for name in wires.HURTS},
}
