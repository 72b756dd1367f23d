"""Force an order or a crowd: threads behind one barrier, and a lock that is held until others wait for it."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar
from uuid import UUID

import psycopg
from django.db import connections

from api.rooms.kernel.refusals import Refusal
from tests.plugins.services import SERVICES

Result = TypeVar("Result")
WAIT_S = 60.0
MAX_CONNECTIONS = 10
"""Fewer than the pool holds, so that a slow machine makes nobody give up waiting for a connection."""


def _closing(act: Callable[[], Result]) -> Callable[[], Result]:
    def run() -> Result:
        try:
            return act()
        finally:
            connections.close_all()

    return run


def together(acts: Sequence[Callable[[], Result]]) -> list[Result | Refusal]:
    """Each in a thread of its own, all let go at once; a refusal is a result, any other error is raised."""
    barrier = threading.Barrier(len(acts))
    connected = threading.Semaphore(MAX_CONNECTIONS)

    def at_once(act: Callable[[], Result]) -> Result | Refusal:
        barrier.wait(WAIT_S)
        with connected:
            try:
                return _closing(act)()
            except Refusal as refusal:
                return refusal

    with ThreadPoolExecutor(len(acts)) as pool:
        futures = [pool.submit(at_once, act) for act in acts]
        return [future.result(WAIT_S) for future in futures]


@dataclass
class HeldLock:
    """A session row that is locked by nobody of ours; who needs it queues, in the order of asking."""

    holder: psycopg.Connection[tuple[Any, ...]]
    pool: ThreadPoolExecutor
    waiting: int = 0

    def queue(self, act: Callable[[], Result]) -> "Future[Result]":
        """Start `act` and return when it waits for the lock."""
        future = self.pool.submit(_closing(act))
        self.waiting += 1
        until(lambda: self._blocked() == self.waiting)
        return future

    def _blocked(self) -> int:
        with psycopg.connect(SERVICES.cluster.superuser_url, dbname="mutirao") as watcher:
            row = watcher.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
            ).fetchone()
        return int(row[0]) if row else 0

    def let_go(self) -> None:
        self.holder.rollback()


@contextmanager
def held_session(session_id: UUID) -> Iterator[HeldLock]:
    with psycopg.connect(SERVICES.cluster.app_url) as holder, ThreadPoolExecutor(8) as pool:
        holder.execute("SELECT 1 FROM agent_sessions_session WHERE id = %s FOR UPDATE", [session_id])
        lock = HeldLock(holder, pool)
        try:
            yield lock
        finally:
            lock.let_go()


def outcome_of(future: "Future[Result]") -> Result | Refusal:
    try:
        return future.result(WAIT_S)
    except Refusal as refusal:
        return refusal


def until(holds: Callable[[], bool], seconds: float = WAIT_S) -> None:
    """Return as soon as `holds()`; fail after `seconds`."""
    deadline = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {seconds} s")
        time.sleep(0.01)
