"""Threat 16: no other site's page gets a socket or a write, whatever it says of itself."""

from uuid import UUID

import pytest
from django.conf import settings
from django.test import Client

from api.rooms.accounts.models import User
from api.rooms.kernel.db import in_thread
from api.surfaces.live_routing import websockets
from tests.api.live.test_socket import ORIGIN, Headers, Socket, cookie
from tests.factories.places import Place, new_place

FOREIGN: dict[str, Headers] = {
    "another site": [(b"origin", b"https://evil.example")],
    "a site whose name begins with ours": [(b"origin", b"http://testserver.evil.example")],
    "a site whose name ends with ours": [(b"origin", b"http://eviltestserver")],
    "our name as a user's": [(b"origin", b"http://testserver@evil.example")],
    "a file or a sandboxed frame": [(b"origin", b"null")],
    "no origin": [],
    "an empty one": [(b"origin", b"")],
    "another site that forges Host": [(b"origin", b"https://evil.example"), (b"host", b"evil.example")],
    "another by X-Forwarded-Host": [
        (b"origin", b"https://evil.example"),
        (b"x-forwarded-host", b"evil.example"),
    ],
}


@pytest.fixture
def place(committed: None) -> Place:
    return new_place()


async def opens(place: Place, headers: Headers) -> bool:
    socket = Socket(websockets, f"/ws/sessions/{place.session_id}/", headers)
    is_open: bool = (await socket.connect(20))[0]
    await socket.disconnect()
    return is_open


async def test_no_other_origin_gets_a_socket_with_a_persons_cookie(place: Place) -> None:
    _, headers = await in_thread(cookie)(place.user_id)
    others = [pair for pair in headers if pair != ORIGIN]
    assert await opens(place, headers)
    assert {name: await opens(place, others + forged) for name, forged in FOREIGN.items()} == dict.fromkeys(
        FOREIGN, False
    )


def strict(user_id: UUID) -> Client:
    client = Client(enforce_csrf_checks=True, raise_request_exception=False)
    client.force_login(User.objects.get(id=user_id))
    return client


@pytest.mark.parametrize(
    "headers",
    [{}, {"Origin": "https://evil.example"}, {"Origin": "null"}, {"Referer": "https://evil.example/"}],
)
@pytest.mark.django_db
def test_a_form_of_another_site_writes_nothing(headers: dict[str, str]) -> None:
    place = new_place()
    refused = strict(place.user_id).post(f"/sessions/{place.session_id}/close", headers=headers)
    assert refused.status_code == 403


@pytest.mark.parametrize("host", ["evil.example", "testserver.evil.example", "testserver@evil.example", "", "a b"])
@pytest.mark.django_db
def test_a_host_that_is_not_ours_is_refused(host: str) -> None:
    answered = Client(raise_request_exception=False).get("/login/", headers={"Host": host})
    assert answered.status_code == 400


@pytest.mark.django_db
def test_a_forwarded_host_is_not_believed() -> None:
    page = Client().get("/login/", headers={"X-Forwarded-Host": "evil.example"}).content.decode()
    assert "evil.example" not in page


def test_the_cookie_of_a_sign_in_is_not_for_scripts_nor_for_other_sites_forms() -> None:
    assert (settings.SESSION_COOKIE_HTTPONLY, settings.SESSION_COOKIE_SAMESITE) == (True, "Lax")
