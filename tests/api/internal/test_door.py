"""The door of the internal routes, seen from the server in front of it."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from django.http import HttpRequest, HttpResponse

from api.surfaces.internal.door import BareHandler

PATIENCE_S = 5.0
SCOPE: dict[str, Any] = {
    "type": "http",
    "method": "POST",
    "path": "/internal/v1/somewhere",
    "raw_path": b"/internal/v1/somewhere",
    "query_string": b"",
    "headers": [],
}
GONE = {"type": "http.disconnect"}


def part(body: bytes, *, more: bool) -> dict[str, Any]:
    return {"type": "http.request", "body": body, "more_body": more}


class Peer:
    """What the server hands over and takes."""

    def __init__(self, *messages: dict[str, Any]) -> None:
        self.coming: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.sent: list[dict[str, Any]] = []
        for message in messages:
            self.coming.put_nowait(message)

    async def send(self, message: dict[str, Any]) -> None:
        self.sent.append(message)

    def meets(self, view: Callable[[HttpRequest], Awaitable[HttpResponse]]) -> Awaitable[None]:
        handler = BareHandler()
        handler.get_response_async = view  # type: ignore[assignment,method-assign]
        answered: Awaitable[None] = handler({**SCOPE, "mutirao.route": ""}, self.coming.get, self.send)
        return answered


async def _echo(request: HttpRequest) -> HttpResponse:
    return HttpResponse(request.body)


async def test_a_body_that_comes_in_parts_is_one_body() -> None:
    peer = Peer(part(b"one ", more=True), part(b"two", more=False))
    await peer.meets(_echo)
    assert [message.get("body") for message in peer.sent] == [None, b"one two"]


async def test_whoever_leaves_before_the_end_of_the_body_is_not_answered() -> None:
    peer = Peer(part(b"one ", more=True), GONE)
    await peer.meets(_echo)
    assert peer.sent == []


async def test_whoever_leaves_during_the_work_ends_it() -> None:
    peer, begun, ended = Peer(part(b"", more=False)), asyncio.Event(), asyncio.Event()

    async def work(_: HttpRequest) -> HttpResponse:
        begun.set()
        try:
            await asyncio.sleep(PATIENCE_S * 2)
        finally:
            ended.set()
        return HttpResponse()

    answering = asyncio.ensure_future(peer.meets(work))
    await begun.wait()
    peer.coming.put_nowait(GONE)
    await asyncio.wait_for(answering, PATIENCE_S)
    assert ended.is_set()
    assert peer.sent == []


async def test_a_process_that_ends_is_not_taken_for_a_client_that_left() -> None:
    peer, begun = Peer(part(b"", more=False)), asyncio.Event()

    async def work(_: HttpRequest) -> HttpResponse:
        begun.set()
        await asyncio.sleep(PATIENCE_S * 2)
        return HttpResponse()

    answering = asyncio.ensure_future(peer.meets(work))
    await begun.wait()
    answering.cancel()
    with pytest.raises(asyncio.CancelledError):
        await answering
