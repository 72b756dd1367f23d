"""An answer over HTTP, the same for every provider: read the stream or the whole document, give out its text."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol

import httpx2

from api.rooms.gateway.domain.reception import Reception
from api.rooms.gateway.providers import stream_reader


class Wire(Protocol):
    """A wire format: what its documents mean. Both return the text that may be relayed."""

    def take_chunk(self, chunk: Mapping[str, Any], reception: Reception) -> str: ...

    def take_whole(self, document: Mapping[str, Any], reception: Reception) -> str: ...


async def texts(
    opened: AbstractAsyncContextManager[httpx2.Response], wire: Wire, reception: Reception
) -> AsyncGenerator[str, None]:
    """The answer's text as it comes; everything else of it is in `reception`."""
    async with opened as response:
        reading = _read(response, wire, reception)
        try:
            async for text in reading:
                yield text
        finally:
            await reading.aclose()
    rest = reception.end_text()
    if rest:
        yield rest


async def _read(response: httpx2.Response, wire: Wire, reception: Reception) -> AsyncGenerator[str, None]:
    if stream_reader.is_event_stream(response):
        async for document in stream_reader.documents(response, reception):
            text = wire.take_chunk(document, reception)
            if text:
                yield text
        return
    text = wire.take_whole(await stream_reader.whole(response, reception), reception)
    if text:
        yield text
