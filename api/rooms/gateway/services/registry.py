"""The calls that this process owns, so that a Stop can cut them, and the tick that looks after them each second."""

import asyncio
import logging
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from api.rooms.budgets import services as budgets
from api.rooms.gateway.domain.attempts import CallStatus
from api.rooms.gateway.domain.endings import CutReason
from api.rooms.gateway.models import Call
from api.rooms.kernel.db import in_thread
from contracts.limits import HOLD_RENEWAL_MS

TICK_S = 1.0
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Progress:
    """What one call has to save at a tick; `text` is null when nothing came since the last one."""

    call_id: UUID
    text: str | None
    is_due: bool
    """Its hold must be renewed."""


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


def launch(flight: Owned) -> None:
    """The task is referenced here until the call has settled, whatever becomes of the consumer."""
    add(flight, flight.call_id)
    task = asyncio.create_task(flight.run())
    _tasks.add(task)
    task.add_done_callback(_tasks.discard)
    if flight.loop not in _tickers:
        _tickers[flight.loop] = asyncio.create_task(_tick_while_needed(flight.loop))


def add(flight: Owned, call_id: UUID) -> None:
    """Every try has an id of its own; all of them lead to the flight until it ends."""
    _flights[call_id] = flight


def remove(flight: Owned) -> None:
    for call_id in [known for known, owned in _flights.items() if owned is flight]:
        del _flights[call_id]


def cut(call_ids: Iterable[UUID], reason: CutReason) -> None:
    """From any thread: end these calls at once where this process owns them; others see the mark within a second."""
    for call_id in call_ids:
        flight = _flights.get(call_id)
        if flight is not None:
            flight.loop.call_soon_threadsafe(flight.cut, reason)


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
            flights = {id(flight): flight for flight in _flights.values() if flight.loop is loop}
            if not flights:
                return
            await _tick(list(flights.values()))
    finally:
        del _tickers[loop]


async def _tick(flights: Sequence[Owned]) -> None:
    progress = [flight.progress(time.monotonic()) for flight in flights]
    try:
        closed = await in_thread(_save_and_look)(progress)
    except Exception:
        log.exception("a tick of the open model calls failed; the next one comes in a second")
        return
    for call_id, reason in closed:
        cut([call_id], CutReason(reason))


def _save_and_look(progress: Sequence[Progress]) -> list[tuple[UUID, str]]:
    """Each row in a transaction of its own: batches of row locks deadlock. Which calls somebody has closed."""
    for call in progress:
        if call.text is not None:
            Call.objects.filter(id=call.call_id, status=CallStatus.OPEN).update(text=call.text)
    budgets.renew([call.call_id for call in progress if call.is_due])
    ids = [call.call_id for call in progress]
    return list(Call.objects.filter(id__in=ids, closed_at__isnull=False).values_list("id", "closed_reason"))


def is_due(renewed_at: float, at: float) -> bool:
    return at - renewed_at >= HOLD_RENEWAL_MS / 1000
