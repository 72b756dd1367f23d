"""Threat 17: a socket does not outlive its person's right, and whatever is sent over one is refused."""

import time
from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest
from django.test import Client

from api.rooms.accounts.models import ApiToken
from api.rooms.accounts.services import revoke_token, set_active
from api.rooms.kernel.db import in_thread
from api.rooms.kernel.refusals import Refusal
from api.rooms.projects import selectors
from api.rooms.projects import services as projects
from api.surfaces.live import consumer
from api.surfaces.live.consumer import CLOSE_FORBIDDEN, CLOSE_NO_COMMANDS
from contracts.problem import ProblemCode
from contracts.vocabulary import Role
from tests.api.live.test_socket import Socket, bearer, cookie, open_socket
from tests.api.rest.test_paging import grow
from tests.factories.places import Place, new_member, new_place
from tests.factories.races import together

SOON_S = 2.0
"""By word, not by the timer, which these tests put out of reach."""


@pytest.fixture
def place(committed: None) -> Place:
    return new_place()


@pytest.fixture
def no_timer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(consumer, "RIGHTS_S", 600.0)


def revoke(user_id: UUID) -> None:
    revoke_token(ApiToken.objects.get(user_id=user_id).id)


LOSSES: dict[str, Callable[[Place, UUID], object]] = {
    "removed": lambda place, user_id: projects.remove_member(place.workspace_id, user_id),
    "switched off": lambda _, user_id: set_active(user_id, is_active=False),
    "token revoked": lambda _, user_id: revoke(user_id),
}


async def hears_nothing(place: Place, socket: Socket) -> bool:
    """Though something happens in the session."""
    await in_thread(grow)(place, 1)
    return bool(await socket.receive_nothing(0.3))


@pytest.mark.parametrize("loss", LOSSES)
async def test_word_of_a_lost_right_closes_the_socket_at_once(place: Place, no_timer: None, loss: str) -> None:
    member = await in_thread(new_member)(place, Role.DEVELOPER)
    async with open_socket(place, await in_thread(bearer)(member)) as socket:
        await socket.seqs(1)
        began = time.monotonic()
        await in_thread(LOSSES[loss])(place, member)
        assert await socket.closed_with() == CLOSE_FORBIDDEN
        assert time.monotonic() - began < SOON_S
        assert await hears_nothing(place, socket)


async def test_signing_out_closes_the_other_pages_of_the_same_sign_in(place: Place, no_timer: None) -> None:
    client, headers = await in_thread(cookie)(place.user_id)
    async with open_socket(place, headers) as socket:
        await socket.seqs(1)
        await in_thread(client.post)("/logout/")
        assert await socket.closed_with() == CLOSE_FORBIDDEN


@pytest.mark.parametrize("loss", LOSSES)
async def test_without_word_the_timer_closes_it_within_five_seconds(
    place: Place, monkeypatch: pytest.MonkeyPatch, loss: str
) -> None:
    """A hint may be lost; the right is asked for anyway."""
    monkeypatch.setattr("api.rooms.accounts.rights.changed", lambda _: None)
    monkeypatch.setattr(consumer, "RIGHTS_S", consumer.RIGHTS_S / 20)
    member = await in_thread(new_member)(place, Role.DEVELOPER)
    async with open_socket(place, await in_thread(bearer)(member)) as socket:
        await socket.seqs(1)
        await in_thread(LOSSES[loss])(place, member)
        assert await socket.closed_with(5) == CLOSE_FORBIDDEN


def test_the_timer_leaves_no_right_standing_for_more_than_five_seconds() -> None:
    assert consumer.RIGHTS_S < 5


async def test_who_was_demoted_watches_on_but_commands_nothing_from_then_on(place: Place, no_timer: None) -> None:
    member = await in_thread(new_member)(place, Role.MAINTAINER)
    client, headers = await in_thread(cookie)(member)
    async with open_socket(place, headers) as socket:
        await socket.seqs(1)
        await in_thread(projects.change_role)(place.workspace_id, member, Role.VIEWER)
        refused = await in_thread(client.post)(f"/sessions/{place.session_id}/stop")
        assert refused.status_code == 403
        await in_thread(grow)(place, 1)
        assert await socket.seqs(1) == [2]


FRAMES: dict[str, dict[str, Any]] = {
    "an unknown command": {"text_data": '{"kind":"stop"}'},
    "no JSON": {"text_data": "{"},
    "binary": {"bytes_data": b"\x00\xff"},
    "huge": {"text_data": "x" * 1_000_000},
    "deep": {"text_data": "[" * 100_000},
    "wrong types": {"text_data": '{"kind":{"a":[1e999,null]}}'},
    "hostile characters": {"text_data": "\x00\u202e\ufeff\U0010ffff"},
}


@pytest.mark.parametrize("frame", FRAMES)
async def test_whatever_is_sent_over_a_socket_ends_it(place: Place, no_timer: None, frame: str) -> None:
    async with open_socket(place, await in_thread(bearer)(place.user_id)) as socket:
        await socket.seqs(1)
        await socket.send_to(**FRAMES[frame])
        assert await socket.closed_with() == CLOSE_NO_COMMANDS


async def test_a_frame_of_who_has_lost_the_right_is_refused_at_once(
    place: Place, no_timer: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each is authorised anew, not by what the handshake found."""
    monkeypatch.setattr("api.rooms.accounts.rights.changed", lambda _: None)
    member = await in_thread(new_member)(place, Role.OWNER)
    async with open_socket(place, await in_thread(bearer)(member)) as socket:
        await socket.seqs(1)
        await in_thread(projects.remove_member)(place.workspace_id, member)
        await socket.send_to(text_data='{"kind":"stop"}')
        assert await socket.closed_with() == CLOSE_FORBIDDEN


def owners_of(place: Place) -> int:
    return sum(card.role is Role.OWNER for card in selectors.members_of(place.workspace_id))


@pytest.mark.parametrize(
    "leave",
    [
        lambda place, user_id: projects.remove_member(place.workspace_id, user_id),
        lambda place, user_id: projects.change_role(place.workspace_id, user_id, Role.VIEWER),
        lambda place, user_id: projects.set_role(place.workspace_id, user_id, Role.MAINTAINER),
    ],
)
def test_of_two_owners_who_leave_at_once_one_stays(place: Place, leave: Callable[[Place, UUID], None]) -> None:
    second = new_member(place, Role.OWNER)
    found = together([lambda: leave(place, place.user_id), lambda: leave(place, second)])
    assert [each.code for each in found if isinstance(each, Refusal)] == [ProblemCode.LAST_OWNER]
    assert owners_of(place) == 1


def test_a_page_of_who_was_removed_is_gone(place: Place) -> None:
    member = new_member(place, Role.OWNER)
    client: Client = cookie(member)[0]
    assert client.get(f"/sessions/{place.session_id}/").status_code == 200
    projects.remove_member(place.workspace_id, member)
    assert client.get(f"/sessions/{place.session_id}/").status_code == 404
