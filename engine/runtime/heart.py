"""The heartbeat of one worker process: renews all its leases, hears what to drop, and fences itself when it cannot."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from uuid import UUID

from contracts.limits import HEARTBEAT_MS
from contracts.routes.workers import HEARTBEAT, Heartbeat, HeartbeatAnswer, Held
from engine.clients.api import ApiClient, Patience
from engine.domain.failures import ApiProblem, ServiceFailed, ServiceUnreachable
from engine.runtime.endings import CancelReason
from engine.runtime.gate import Gate
from engine.runtime.running import Running

BEAT_SECONDS = HEARTBEAT_MS / 1_000
RETRY_SECONDS = 0.3
PATIENCE = Patience(answer_seconds=0.8, retry_seconds=0)
"""A heartbeat that was missed is not repeated: the next one says the same, and newer."""
FENCE_CHECK_SECONDS = 0.2
log = logging.getLogger(__name__)


@dataclass
class Heart:
    """Beats from the first activation until the process ends."""

    api: ApiClient
    boot_id: UUID
    running: dict[UUID, Running]
    gate: Gate
    monotonic: Callable[[], float]
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    _tasks: tuple[asyncio.Task[None], ...] = ()

    def start(self) -> None:
        """Begin to beat; once."""
        if not self._tasks:
            self._tasks = (asyncio.create_task(self._beat_for_ever()), asyncio.create_task(self._fence_for_ever()))

    async def _beat_for_ever(self) -> None:
        while True:
            began = self.monotonic()
            try:
                pause = BEAT_SECONDS if await self.beat() else RETRY_SECONDS
            except Exception:  # whatever it was, a heart that stops would cost every lease of the process
                log.exception("heartbeat crashed")
                pause = RETRY_SECONDS
            await asyncio.sleep(max(0.0, pause - (self.monotonic() - began)))

    async def beat(self) -> bool:
        """One heartbeat; whether the api answered it."""
        async with self._lock, self.gate.beating():
            sent_at = self.monotonic()
            listed = tuple(held for running in self.running.values() if (held := running.held))
            try:
                answer = await self.api.call(
                    HEARTBEAT, Heartbeat(running=listed), patience=PATIENCE, boot_id=self.boot_id
                )
            except (ApiProblem, ServiceFailed, ServiceUnreachable) as error:
                log.log(logging.WARNING if listed else logging.INFO, "heartbeat failed: %s", error)
                return False
        self._hear(listed, answer, sent_at)
        return True

    def _hear(self, listed: tuple[Held, ...], answer: HeartbeatAnswer, sent_at: float) -> None:
        """An answer speaks of what was listed: an instance that has moved on since is not touched."""
        for held in listed:
            running = self.running.get(held.instance_id)
            if running is None or running.epoch != held.epoch:
                continue
            if held.instance_id in answer.lost:
                running.cancel(CancelReason.LOST)
                continue
            running.renewed_at = max(running.renewed_at, sent_at)
            if held.instance_id in answer.stopped and running.turn_id == held.turn_id:
                running.cancel(CancelReason.USER)

    async def _fence_for_ever(self) -> None:
        while True:
            await asyncio.sleep(FENCE_CHECK_SECONDS)
            self.fence()

    def fence(self) -> None:
        """Stop acting for leases that may be somebody else's by now; repeat every cancel until its task has ended."""
        now = self.monotonic()
        for running in tuple(self.running.values()):
            if running.reason is not None:
                running.cancel(running.reason)
            elif running.epoch is not None and now - running.renewed_at > running.fence_seconds:
                log.warning("fenced itself: no heartbeat for %.1f s", now - running.renewed_at)
                running.cancel(CancelReason.LOST)
