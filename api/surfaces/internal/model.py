"""Model calls: streamed frame by frame, or as one result."""

from collections.abc import AsyncIterator
from contextlib import aclosing

from django.urls import URLPattern

from api.rooms.gateway import services as gateway
from api.surfaces.internal.binding import Call, bind_async, bind_stream
from contracts.base import Message
from contracts.routes import model
from contracts.routes.model import Frame


async def _stream(call: Call) -> AsyncIterator[Message]:
    """The first frame is awaited here, so that a fenced or stopped call is answered with its status."""
    frames = gateway.stream(call.slots["instance_id"], call.body)
    first = await anext(frames)

    async def relay() -> AsyncIterator[Message]:
        async with aclosing(frames):
            yield Frame(frame=first)
            async for frame in frames:
                yield Frame(frame=frame)

    return relay()


async def _complete(call: Call) -> Message:
    return await gateway.complete(call.slots["instance_id"], call.body)


URLS: list[URLPattern] = [bind_stream(model.STREAM, _stream), bind_async(model.COMPLETE, _complete)]
