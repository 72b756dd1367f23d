"""The calls that this process owns, so that a Stop can cut them, and the tick that looks after them each second.

A Stop in another process is heard of by NOTIFY; the tick finds it when that was lost.
"""

import asyncio
import logging
import time
from collections.abc import Iterable, Sequence
from contextlib import aclosing
from typing import Protocol
from uuid import UUID

from api.rooms.gateway.domain.endings import CutReason
from api.rooms.gateway.services import marks
from api.rooms.gateway.services.marks import Progress
from api.rooms.kernel import hurry
from api.rooms.kernel.db import in_thread

TICK_S = 1.0
log = logging.getLogger(__name__)


class Owned(Protocol):
    """A call that runs in this process."""

    call_id: UUID
    loop: asyncio.AbstractEventLoop

    async def run(self) -> None: ...

    def cut(self, reason: CutReason) -> None: ...

    def progress(self, at: float) -> Progress: ...

    def text_of(self, call_id: UUID) -> str | None: ...


_flights: dict[UUID, Owned] = {}
_tasks: set[asyncio.Task[None]] = set()
_tickers: dict[asyncio.AbstractEventLoop, asyncio.Task[None]] = {}
_listeners: dict[asyncio.AbstractEventLoop, asyncio.Task[None]] = {}


def launch(flight: Owned) -> None:
    """The task is referenced here until the call has settled, whatever becomes of the consumer."""
    add(flight, flight.call_id)
    task = asyncio.create_task(flight.run())
    _tasks.add(task)
    task.add_done_callback(_tasks.discard)
    if flight.loop not in _tickers:
        _tickers[flight.loop] = asyncio.create_task(_tick_while_needed(flight.loop))
    if flight.loop not in _listeners:
        _listeners[flight.loop] = asyncio.create_task(_listen(flight.loop))


def add(flight: Owned, call_id: UUID) -> None:
    """Every try has an id of its own; all of them lead to the flight until it ends."""
    _flights[call_id] = flight


def remove(flight: Owned) -> None:
    for call_id in [known for known, owned in _flights.items() if owned is flight]:
        del _flights[call_id]


def cut(call_ids: Iterable[UUID], reason: CutReason) -> None:
    """From any thread, after the commit: end these calls at once; whoever else owns one is told to look."""
    owned = {call_id: _flights.get(call_id) for call_id in call_ids}
    for flight in owned.values():
        if flight is not None:
            flight.loop.call_soon_threadsafe(flight.cut, reason)
    if None in owned.values():
        hurry.hurry_cuts()


def text_of(call_id: UUID) -> str | None:
    """The text of a call that runs in this process, newer than what is saved."""
    flight = _flights.get(call_id)
    return flight.text_of(call_id) if flight is not None else None


async def settled() -> None:
    """When every call that runs now has settled; for a process that ends in order, and for tests."""
    while _tasks:
        await asyncio.wait(set(_tasks))


async def _tick_while_needed(loop: asyncio.AbstractEventLoop) -> None:
    try:
        while True:
            await asyncio.sleep(TICK_S)
            flights = _of_loop(loop)
            if not flights:
                return
            await _tick(flights)
    finally:
        del _tickers[loop]


def _of_loop(loop: asyncio.AbstractEventLoop) -> list[Owned]:
    return list({id(flight): flight for flight in _flights.values() if flight.loop is loop}.values())


async def _listen(loop: asyncio.AbstractEventLoop) -> None:
    """From the first call of a loop to its end: a connection that comes and goes with calls would cost them time."""
    try:
        while True:
            try:
                async with aclosing(hurry.cuts()) as words:
                    async for _ in words:
                        _cut_closed(await in_thread(marks.closed)([flight.call_id for flight in _of_loop(loop)]))
            except Exception as error:  # noqa: BLE001 - whatever failed, the tick finds each mark
                log.warning("word of cuts is lost for now, the tick covers: %s", error)
            await asyncio.sleep(TICK_S)
    finally:
        del _listeners[loop]


async def _tick(flights: Sequence[Owned]) -> None:
    progress = [flight.progress(time.monotonic()) for flight in flights]
    try:
        closed = await in_thread(marks.save_and_look)(progress)
    except Exception:
        log.exception("a tick of the open model calls failed; the next one comes in a second")
        return
    _cut_closed(closed)


def _cut_closed(closed: Sequence[tuple[UUID, str]]) -> None:
    """A call that has ended meanwhile is nobody's: nobody is told."""
    for call_id, reason in closed:
        if call_id in _flights:
            cut([call_id], CutReason(reason))
