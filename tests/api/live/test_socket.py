"""The socket is a hint (law 8): it loses nothing, repeats nothing, and shows itself to nobody else."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID

import pytest
import redis
from channels.testing import WebsocketCommunicator
from django.test import Client

from api.rooms.accounts.models import ApiToken, User
from api.rooms.accounts.services import revoke_token
from api.rooms.agent_sessions import broadcast
from api.rooms.agent_sessions import selectors as log
from api.rooms.kernel.db import in_thread
from api.rooms.projects import services as projects
from api.surfaces.live import consumer
from api.surfaces.live.consumer import CLOSE_FORBIDDEN, CLOSE_NO_COMMANDS
from api.surfaces.live_routing import websockets
from contracts.limits import MAX_EVENTS_PAGE
from contracts.vocabulary import Role
from tests.api.rest.test_paging import grow, grow_at_once
from tests.factories.places import Place, new_member, new_person, new_place, token_of
from tests.factories.races import until
from tests.plugins.services import SERVICES

ORIGIN = (b"origin", b"http://testserver")
Headers = list[tuple[bytes, bytes]]


def bearer(user_id: UUID) -> Headers:
    return [ORIGIN, (b"authorization", f"Bearer {token_of(user_id)}".encode())]


def cookie(user_id: UUID) -> tuple[Client, Headers]:
    client = Client()
    client.force_login(User.objects.get(id=user_id))
    return client, [ORIGIN, (b"cookie", f"sessionid={client.cookies['sessionid'].value}".encode())]


class Socket(WebsocketCommunicator):  # type: ignore[misc]
    """A page's half of it."""

    async def heard(self, timeout_s: float = 20) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(await self.receive_from(timeout_s))
        return message

    async def seqs(self, count: int) -> list[int]:
        """Of the next events, whatever else comes between."""
        found = list[int]()
        while len(found) < count:
            message = await self.heard()
            if message["kind"] == "event":
                found.append(message["event"]["seq"])
        return found

    async def closed_with(self, timeout_s: float = 10) -> int:
        """Everything until the close, and its code."""
        while True:
            output = await self.receive_output(timeout_s)
            if output["type"] == "websocket.close":
                return int(output["code"])


@asynccontextmanager
async def open_socket(place: Place, headers: Headers, after: int = 0) -> AsyncIterator[Socket]:
    socket = Socket(websockets, f"/ws/sessions/{place.session_id}/?after={after}", headers)
    is_open, _ = await socket.connect(20)
    assert is_open
    try:
        yield socket
    finally:
        await socket.disconnect(20)


@pytest.fixture
def place(committed: None) -> Place:
    return new_place()


async def refused_with(place: Place, headers: Headers) -> int:
    async with open_socket(place, headers) as socket:
        return await socket.closed_with()


async def test_a_token_in_the_header_opens_the_session_from_the_beginning(place: Place) -> None:
    await in_thread(grow)(place, 4)
    async with open_socket(place, await in_thread(bearer)(place.user_id)) as socket:
        texts = (await in_thread(log.raw_events)(place.session_id, 0, 10)).texts
        heard = [await socket.receive_from(20) for _ in texts]
    assert heard == [f'{{"kind":"event","event":{text}}}' for text in texts]


async def test_the_pages_own_cookie_opens_it_too(place: Place) -> None:
    _, headers = await in_thread(cookie)(place.user_id)
    async with open_socket(place, headers) as socket:
        assert await socket.seqs(1) == [1]


@pytest.mark.parametrize(("after", "seqs"), [(3, [4, 5]), (0, [1, 2, 3, 4, 5])])
async def test_a_page_that_has_read_so_far_gets_the_rest(place: Place, after: int, seqs: list[int]) -> None:
    await in_thread(grow)(place, 4)
    async with open_socket(place, await in_thread(bearer)(place.user_id), after) as socket:
        assert await socket.seqs(len(seqs)) == seqs


async def test_what_is_appended_while_a_socket_is_open_comes_once_and_in_order(place: Place) -> None:
    async with open_socket(place, await in_thread(bearer)(place.user_id)) as socket:
        await in_thread(grow)(place, 30)
        assert await socket.seqs(31) == list(range(1, 32))


async def test_two_hundred_events_during_the_join_leave_no_gap_and_no_double(place: Place) -> None:
    """F26: subscribe, then read `after`, then send; a gap is read again."""
    headers = await in_thread(bearer)(place.user_id)
    growing = asyncio.create_task(in_thread(grow)(place, 200))
    await in_thread(until)(lambda: log.head_seq(place.session_id) >= 20)
    async with open_socket(place, headers) as socket:
        seqs = await socket.seqs(201)
        await growing
    assert seqs == list(range(1, 202))


async def test_a_page_that_is_far_behind_is_told_to_read_by_http(place: Place) -> None:
    await in_thread(grow_at_once)(place, MAX_EVENTS_PAGE + 1)
    async with open_socket(place, await in_thread(bearer)(place.user_id)) as socket:
        assert await socket.seqs(MAX_EVENTS_PAGE) == list(range(1, MAX_EVENTS_PAGE + 1))
        assert await socket.heard() == {"kind": "far", "head": MAX_EVENTS_PAGE + 2}
        await in_thread(grow)(place, 1)
        assert await socket.seqs(1) == [MAX_EVENTS_PAGE + 3]


@pytest.mark.parametrize("after", ["-1", "x", "1.5", "9999999999", "%00", "٣"])
async def test_an_odd_after_reads_from_the_beginning(place: Place, after: str) -> None:
    headers = await in_thread(bearer)(place.user_id)
    socket = Socket(websockets, f"/ws/sessions/{place.session_id}/?after={after}", headers)
    await socket.connect(20)
    assert await socket.seqs(1) == [1]
    await socket.disconnect()


async def test_who_is_nobody_is_told_so_by_a_final_code(place: Place) -> None:
    """U5: 4403 is final; the page does not try again."""
    assert await refused_with(place, [ORIGIN]) == CLOSE_FORBIDDEN


@pytest.mark.parametrize("token", [b"mut_never_issued", b"", b"\xff\xfe"])
async def test_a_wrong_token_is_told_so(place: Place, token: bytes) -> None:
    assert await refused_with(place, [ORIGIN, (b"authorization", b"Bearer " + token)]) == CLOSE_FORBIDDEN


async def test_another_tenants_session_is_told_nothing(place: Place) -> None:
    stranger = await in_thread(new_person)()
    socket = Socket(websockets, f"/ws/sessions/{place.session_id}/", await in_thread(bearer)(stranger))
    await socket.connect(20)
    assert await socket.receive_output(10) == {"type": "websocket.close", "code": CLOSE_FORBIDDEN}


@pytest.mark.parametrize("origin", [b"http://evil.example", b"null", b"http://testserver.evil.example", None])
async def test_another_sites_page_does_not_get_a_socket(place: Place, origin: bytes | None) -> None:
    _, headers = await in_thread(cookie)(place.user_id)
    headers = [pair for pair in headers if pair != ORIGIN] + ([(b"origin", origin)] if origin else [])
    socket = Socket(websockets, f"/ws/sessions/{place.session_id}/", headers)
    assert (await socket.connect(20))[0] is False


def revoke(user_id: UUID) -> None:
    revoke_token(ApiToken.objects.get(user_id=user_id).id)


LOSSES: dict[str, Callable[[Place, UUID], object]] = {
    "removed": lambda place, user_id: projects.remove_member(place.workspace_id, user_id),
    "deactivated": lambda _, user_id: User.objects.filter(id=user_id).update(is_active=False),
    "token revoked": lambda _, user_id: revoke(user_id),
}


@pytest.mark.parametrize("loss", LOSSES)
async def test_who_loses_the_right_loses_the_socket_within_five_seconds(place: Place, loss: str) -> None:
    viewer = await in_thread(new_member)(place, Role.VIEWER)
    async with open_socket(place, await in_thread(bearer)(viewer)) as socket:
        await socket.seqs(1)
        await in_thread(LOSSES[loss])(place, viewer)
        started = time.monotonic()
        assert await socket.closed_with() == CLOSE_FORBIDDEN
        assert time.monotonic() - started <= 5


async def test_who_signs_out_loses_the_pages_socket(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(consumer, "RIGHTS_S", 0.2)
    client, headers = await in_thread(cookie)(place.user_id)
    async with open_socket(place, headers) as socket:
        await socket.seqs(1)
        await in_thread(client.logout)()
        assert await socket.closed_with() == CLOSE_FORBIDDEN


async def test_who_is_demoted_to_viewer_goes_on_watching(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(consumer, "RIGHTS_S", 0.1)
    member = await in_thread(new_member)(place, Role.MAINTAINER)
    async with open_socket(place, await in_thread(bearer)(member)) as socket:
        await socket.seqs(1)
        await in_thread(projects.set_role)(place.workspace_id, member, Role.VIEWER)
        await asyncio.sleep(0.5)
        await in_thread(grow)(place, 1)
        assert await socket.seqs(1) == [2]


def flush_valkey() -> None:
    """All of it, subscriptions too."""
    with redis.Redis.from_url(SERVICES.server.admin_url) as admin:
        admin.flushall()
        admin.execute_command("CLIENT", "KILL", "TYPE", "pubsub")


async def test_a_flushed_valkey_loses_only_hints(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """The ping carries the head's seq and what was missed before it."""
    monkeypatch.setattr(consumer, "PING_S", 0.3)
    async with open_socket(place, await in_thread(bearer)(place.user_id)) as socket:
        await socket.seqs(1)
        await in_thread(flush_valkey)()
        await in_thread(grow)(place, 5)
        assert await socket.seqs(5) == [2, 3, 4, 5, 6]


async def test_a_lost_hint_is_repaired_by_the_ping(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """A death between commit and broadcast loses only the hint."""
    monkeypatch.setattr(consumer, "PING_S", 0.3)
    async with open_socket(place, await in_thread(bearer)(place.user_id)) as socket:
        await socket.seqs(1)
        with monkeypatch.context() as silenced:
            silenced.setattr(broadcast, "event", lambda *_: None)
            await in_thread(grow)(place, 3)
        assert await socket.seqs(3) == [2, 3, 4]
        while (ping := await socket.heard())["kind"] != "ping":
            pass
        assert ping == {"kind": "ping", "head": 4}


async def test_a_hint_that_jumps_ahead_makes_the_socket_read_the_gap(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_socket(place, await in_thread(bearer)(place.user_id)) as socket:
        await socket.seqs(1)
        with monkeypatch.context() as silenced:
            silenced.setattr(broadcast, "event", lambda *_: None)
            await in_thread(grow)(place, 3)
        await in_thread(grow)(place, 1)
        assert await socket.seqs(4) == [2, 3, 4, 5]


async def test_a_hint_that_comes_twice_is_shown_once(place: Place) -> None:
    async with open_socket(place, await in_thread(bearer)(place.user_id)) as socket:
        await socket.seqs(1)
        (text,) = (await in_thread(log.raw_events)(place.session_id, 0, 1)).texts
        broadcast.event(place.session_id, text)
        await in_thread(grow)(place, 1)
        assert await socket.seqs(1) == [2]


async def test_live_text_is_forwarded_as_it_is(place: Place) -> None:
    async with open_socket(place, await in_thread(bearer)(place.user_id)) as socket:
        await socket.seqs(1)
        delta = {
            "kind": "delta",
            "turn_id": "t",
            "agent": "creative",
            "call": 0,
            "attempt": 1,
            "offset": 0,
            "text": "é",
        }
        broadcast.hint(place.session_id, delta)
        assert await socket.heard() == delta


@pytest.mark.parametrize("frame", [{"text_data": "{"}, {"bytes_data": b"\x00"}])
async def test_the_socket_takes_no_commands(place: Place, frame: dict[str, Any]) -> None:
    async with open_socket(place, await in_thread(bearer)(place.user_id)) as socket:
        await socket.seqs(1)
        await socket.send_to(**frame)
        assert await socket.closed_with() == CLOSE_NO_COMMANDS
