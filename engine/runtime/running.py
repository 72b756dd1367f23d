"""What this process runs at the moment."""

import asyncio
from dataclasses import dataclass
from uuid import UUID

from contracts.routes.workers import Held
from engine.runtime.endings import CancelReason


@dataclass
class Running:
    """`renewed_at` is when the last renewal that succeeded was sent (monotonic); before the claim there is no epoch."""

    instance_id: UUID
    task: asyncio.Task[None]
    renewed_at: float
    epoch: int | None = None
    turn_id: UUID | None = None
    fence_seconds: float = 0.0
    reason: CancelReason | None = None
    is_wanted_again: bool = False
    """A wake came while this ran; it may be of something that the release did not see."""

    @property
    def held(self) -> Held | None:
        """As a heartbeat lists it."""
        if self.epoch is None:
            return None
        return Held(instance_id=self.instance_id, epoch=self.epoch, turn_id=self.turn_id)

    def cancel(self, reason: CancelReason) -> None:
        """The first reason counts; repeating it is harmless and is done until the task has ended."""
        self.reason = self.reason or reason
        self.task.cancel(self.reason)

    def tell_turn(self, turn_id: UUID | None) -> None:
        """The turn that a Stop would end."""
        self.turn_id = turn_id
