"""A stream of the internal wire that fails half-way must end: whoever reads it asks again under the same key."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime

from api.surfaces.internal.binding import _as_events
from contracts.base import Message
from contracts.failures import ErrorCode
from contracts.routes.model import Frame, Notice

NOTICE = Frame(frame=Notice(attempt=1, code=ErrorCode.RATE_LIMITED, retry_at=datetime.now(UTC)))


async def test_a_stream_that_fails_after_its_headers_ends_instead_of_hanging() -> None:
    """Raised on, daphne could only answer with headers, which are out already, and the reader would wait for ever."""

    async def frames() -> AsyncIterator[Message]:
        yield NOTICE
        raise ConnectionError("the database went away")

    sent = [chunk async for chunk in _as_events(frames())]
    assert sent == [b"data: " + NOTICE.model_dump_json().encode() + b"\n\n"]
