"""What comes in is counted by the template of its route, never by what was asked for."""

import logging
from typing import Any

import pytest

from contracts.edge import ROUTE, Edge


class Seen:
    """A watch that writes everything down."""

    def __init__(self) -> None:
        self.requests: list[tuple[str, str, int]] = []
        self.sockets: list[str] = []

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        assert seconds >= 0
        self.requests.append((method, route, status))

    def socket_opened(self) -> None:
        self.sockets.append("opened")

    def socket_closed(self, code: int) -> None:
        self.sockets.append(f"closed {code}")


def scope_of(path: str, method: str = "GET", kind: str = "http") -> dict[str, Any]:
    return {"type": kind, "path": path, "method": method, "headers": []}


async def asked(scope: dict[str, Any], *messages: dict[str, Any], route: str = "") -> Seen:
    seen, sent = Seen(), list[Any]()

    async def app(scope: Any, receive: Any, send: Any) -> None:
        scope[ROUTE] = route
        for message in messages:
            await send(message)

    async def receive() -> dict[str, Any]:
        return {}

    async def send(message: Any) -> None:
        sent.append(message)

    await Edge(app, logging.getLogger("test"), seen)(scope, receive, send)
    assert len(sent) == len(messages)
    return seen


def start(status: int) -> dict[str, Any]:
    return {"type": "http.response.start", "status": status}


async def test_a_request_counts_by_its_template() -> None:
    seen = await asked(scope_of("/sessions/0197-secret/"), start(200), route="sessions/<uuid:session_id>/")
    assert seen.requests == [("GET", "sessions/<uuid:session_id>/", 200)]


async def test_an_address_and_a_method_that_nobody_knows_are_one_label_each() -> None:
    seen = await asked(scope_of("/wp-login.php", "PROPFIND"), start(404))
    assert seen.requests == [("other", "unknown", 404)]


async def test_a_request_that_breaks_counts_without_an_answer() -> None:
    seen = Seen()

    async def broken(scope: Any, receive: Any, send: Any) -> None:
        raise RuntimeError("a defect")

    async def nothing(*_: Any) -> Any:
        return None

    with pytest.raises(RuntimeError):
        await Edge(broken, logging.getLogger("test"), seen)(scope_of("/x"), nothing, nothing)
    assert seen.requests == [("GET", "unknown", 0)]


async def test_a_socket_is_counted_open_and_closed_once() -> None:
    accept, close = {"type": "websocket.accept"}, {"type": "websocket.close", "code": 4403}
    assert (await asked(scope_of("/ws/", kind="websocket"), accept, close)).sockets == ["opened", "closed 4403"]
    assert (await asked(scope_of("/ws/", kind="websocket"), accept)).sockets == ["opened", "closed 0"]
    assert (await asked(scope_of("/ws/", kind="websocket"), close)).sockets == [], "it was never open"
