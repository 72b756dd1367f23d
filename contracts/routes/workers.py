"""A worker process says each second what it runs, and hears what it must drop."""

from typing import Annotated
from uuid import UUID

from pydantic import Field

from contracts.base import Message
from contracts.routes.route import Route


class Held(Message):
    instance_id: UUID
    epoch: Annotated[int, Field(ge=1)]
    turn_id: UUID | None = None


class Heartbeat(Message):
    """All leases of this worker process; what it holds and does not list is released."""

    running: tuple[Held, ...] = ()


class HeartbeatAnswer(Message):
    """`lost` leases belong to somebody else now; the turns of `stopped` instances were ended by a person."""

    lost: tuple[UUID, ...] = ()
    stopped: tuple[UUID, ...] = ()


HEARTBEAT = Route("heartbeat", "POST", "/workers/{boot_id}/heartbeat", Heartbeat, HeartbeatAnswer)
ROUTES = (HEARTBEAT,)
