"""The call itself, as a stream of frames or as one final frame."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from uuid import UUID

from api.rooms.gateway.domain.endings import CutReason
from api.rooms.gateway.services import registry
from api.rooms.gateway.services.flights import Flight, Frame
from contracts.routes.model import Final, ModelCall


async def stream(instance_id: UUID, call: ModelCall) -> AsyncGenerator[Frame, None]:
    """Deltas and notices, then exactly one Final, settled before it is yielded.

    Raises Refusal (`fenced`, `stopped`, `not_found`) before the first frame. Closing the iterator closes the
    provider's socket at once, and what had been used by then is metered.
    """
    async with aclosing(_frames(instance_id, call, is_streamed=True)) as frames:
        async for frame in frames:
            yield frame


async def complete(instance_id: UUID, call: ModelCall) -> Final:
    """The same without deltas: the provider is asked for one whole answer."""
    async with aclosing(_frames(instance_id, call, is_streamed=False)) as frames:
        async for frame in frames:
            if isinstance(frame, Final):
                return frame
    raise RuntimeError("a call ended without its final frame")


async def _frames(instance_id: UUID, call: ModelCall, *, is_streamed: bool) -> AsyncGenerator[Frame, None]:
    flight = Flight(instance_id, call, is_streamed=is_streamed)
    registry.launch(flight)
    try:
        while True:
            frame = await flight.frames.get()
            if isinstance(frame, BaseException):
                raise frame
            yield frame
            if isinstance(frame, Final):
                return
    finally:
        flight.cut(CutReason.GONE)
