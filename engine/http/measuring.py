"""`/metrics` of the engine: its own door, the depth of its queues, and what its workers say of themselves."""

import logging
import threading
import time
from collections.abc import Callable

import redis
from kombu.exceptions import KombuError
from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)

from contracts.edge import SECONDS
from engine.roll import Roll, Told

FRESH_SECONDS = 5.0
disable_created_metrics()  # type: ignore[no-untyped-call] # half as many series: nobody asks when one began
OURS = CollectorRegistry()
ProcessCollector(registry=OURS)
TOOK = Histogram(
    "mutirao_http_request_seconds",
    "From the first byte asked to the last byte answered, by the template of the route.",
    ("method", "route"),
    buckets=SECONDS,
    registry=OURS,
)
ANSWERED = Counter(
    "mutirao_http_requests",
    "Requests by answer; 0 when nobody waited.",
    ("method", "route", "status"),
    registry=OURS,
)
WAKES = Counter("mutirao_engine_wakes", "Wakes that were taken to the broker.", ("queue",), registry=OURS)
NOT_QUEUED = Counter("mutirao_engine_wakes_not_queued", "Wakes that the broker did not take.", registry=OURS)
log = logging.getLogger(__name__)
AWAY = (OSError, KombuError, redis.RedisError)


class Requests:
    """The edge's watch. The engine has no sockets."""

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        """One request that ended."""
        TOOK.labels(method, route).observe(seconds)
        ANSWERED.labels(method, route, str(status)).inc()

    def socket_opened(self) -> None:
        """Never: no route takes one."""

    def socket_closed(self, code: int) -> None:
        """Never either."""


class Figures:
    """`depths` and the roll ask the broker: both block, so call `text` in a thread."""

    def __init__(self, depths: Callable[[], dict[str, int]], roll: Roll | None) -> None:
        self._depths, self._roll = depths, roll
        self._lock = threading.Lock()
        self._asked_at, self._text = float("-inf"), b""

    def text(self) -> bytes:
        """For Prometheus. The broker is asked at most every five seconds; when it is away, only that is said."""
        with self._lock:
            if time.monotonic() - self._asked_at >= FRESH_SECONDS:
                self._text = generate_latest(self._asked())
                self._asked_at = time.monotonic()
            return self._text + generate_latest(OURS)

    def _asked(self) -> CollectorRegistry:
        registry = CollectorRegistry()
        is_up = Gauge("mutirao_engine_broker_up", "Whether the broker answered.", registry=registry)
        try:
            depths, told = self._depths(), self._roll.read() if self._roll else None
        except AWAY as error:
            log.warning("the broker tells no figures: %s: %s", type(error).__name__, error)
            is_up.set(0)
            return registry
        is_up.set(1)
        _write_depths(registry, depths)
        if told is not None:
            _write_workers(registry, told)
        return registry


def _write_depths(registry: CollectorRegistry, depths: dict[str, int]) -> None:
    depth = Gauge("mutirao_engine_queue_depth", "Looks that no worker has taken.", ("queue",), registry=registry)
    for queue, count in depths.items():
        depth.labels(queue).set(count)


def _write_workers(registry: CollectorRegistry, told: list[Told]) -> None:
    """Sums: a worker is another one after each start, and a label for each would never end."""
    workers = Gauge("mutirao_engine_workers", "Workers heard of lately.", ("state",), registry=registry)
    workers.labels("working").set(sum(not each.is_draining for each in told))
    workers.labels("draining").set(sum(each.is_draining for each in told))
    slots = Gauge("mutirao_engine_slots", "Activations that workers have room for.", registry=registry)
    slots.set(sum(each.slots for each in told if not each.is_draining))
    running = Gauge("mutirao_engine_activations", "Activations that run, claims included.", registry=registry)
    running.set(sum(each.running for each in told))
    leased = Gauge("mutirao_engine_instances", "Instances whose lease a worker holds.", registry=registry)
    leased.set(sum(each.leased for each in told))
