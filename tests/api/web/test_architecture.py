"""The architecture page: what is decided, what waits, and what a person may do about it."""

from collections.abc import Callable
from uuid import UUID

import pytest
from django.test import Client

from api.rooms.actions import selectors as proposed
from api.rooms.architecture.selectors import architecture
from api.rooms.backlog import services as backlog
from contracts.actions import ActionStatus
from contracts.architecture import ActorType, SystemActor
from contracts.vocabulary import Role
from tests.factories.architecture import Architect, architect
from tests.factories.backlog import COMPLETE, content, owner
from tests.factories.places import Place, new_member, new_place

Browser = Callable[[UUID], Client]


@pytest.fixture
def work(place: Place) -> Architect:
    """S-1 is ready and has no module; a decision waits."""
    product_owner = owner(place, "Stalls open on Sundays")
    product_owner.epic()
    product_owner.story(content("Borrow a book", "R-1", **COMPLETE))
    backlog.promote(place.project_id, place.user_id, ["S-1"])
    work = architect(place, product_owner)
    work.map()
    work.c4(actors=(SystemActor(name="<b>Ana</b>", type=ActorType.PERSON),))
    work.adr()
    return work


@pytest.fixture
def client(place: Place, work: Architect, signed_in: Browser) -> Client:
    return signed_in(place.user_id)


def address(place: Place) -> str:
    return f"/projects/{place.project_id}/architecture"


def shown(client: Client, place: Place) -> str:
    response = client.get(address(place))
    assert response.status_code == 200
    return response.content.decode()


def test_the_page_shows_modules_picture_decisions_and_what_is_open(client: Client, place: Place) -> None:
    text = shown(client, place)
    for words in ("loans", "<svg", "&lt;b&gt;Ana", "docs/adr/one-database.md", "/stories/S-1", "C4Container"):
        assert words in text
    assert "<b>Ana" not in text


def test_a_decision_is_approved_for_exactly_what_was_shown(client: Client, place: Place) -> None:
    (card,) = proposed.of_project(place.project_id)
    fields = {"do": "approve", "action": str(card.id)}
    assert client.post(address(place), fields | {"sha256": "0" * 64}).status_code == 409
    assert proposed.action(card.id).status is ActionStatus.PENDING
    assert client.post(address(place), fields | {"sha256": card.content_sha256}).status_code == 302
    assert proposed.action(card.id).status is ActionStatus.APPROVED


def test_a_denial_says_why(client: Client, place: Place) -> None:
    (card,) = proposed.of_project(place.project_id)
    fields = {"do": "deny", "action": str(card.id)}
    assert client.post(address(place), fields).status_code == 400
    assert client.post(address(place), fields | {"reason": "Too early."}).status_code == 302
    assert "Too early." in shown(client, place)


def test_only_a_maintainer_decides_and_a_developer_confirms(place: Place, client: Client, signed_in: Browser) -> None:
    (card,) = proposed.of_project(place.project_id)
    developer = signed_in(new_member(place, Role.DEVELOPER))
    fields = {"do": "approve", "action": str(card.id), "sha256": card.content_sha256}
    assert developer.post(address(place), fields).status_code == 403
    assert developer.post(address(place), {"do": "confirm", "version": "1"}).status_code == 302
    assert architecture(place.project_id).confirmed_at is not None


def test_an_action_of_another_project_does_not_exist_here(client: Client, place: Place, signed_in: Browser) -> None:
    (card,) = proposed.of_project(place.project_id)
    other = new_place()
    fields = {"do": "approve", "action": str(card.id), "sha256": card.content_sha256}
    assert signed_in(other.user_id).post(address(other), fields).status_code == 404
    assert proposed.action(card.id).status is ActionStatus.PENDING


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"do": "x"},
        {"do": "approve"},
        {"do": "approve", "action": "x"},
        {"do": "confirm"},
        {"do": "confirm", "version": "x"},
    ],
)
def test_nonsense_is_refused(client: Client, place: Place, fields: dict[str, str]) -> None:
    assert client.post(address(place), fields).status_code == 400
