"""The backlog's pages: searched, filtered, promoted and changed by hand; what is refused keeps what was typed."""

from collections.abc import Callable
from uuid import UUID

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from api.rooms.backlog import selectors
from contracts.backlog import StoryContent
from contracts.vocabulary import Promotion, Role, StoryStatus
from tests.factories.backlog import COMPLETE, Owner, content, owner
from tests.factories.places import Place, new_member

Browser = Callable[[UUID], Client]


@pytest.fixture
def product_owner(place: Place) -> Owner:
    """S-1 waits to be promoted, S-2 is incomplete, E2 has no story."""
    product_owner = owner(place, "Stalls open on Sundays", "Nobody books twice")
    product_owner.epic("Stalls")
    product_owner.story(content("See the stalls", "R-1", **COMPLETE))
    product_owner.story(StoryContent(title="Árvore de preços"))
    product_owner.task("S-1", "A page")
    product_owner.epic("Prices")
    return product_owner


@pytest.fixture
def client(place: Place, product_owner: Owner, signed_in: Browser) -> Client:
    return signed_in(place.user_id)


def page(client: Client, place: Place, path: str) -> str:
    response = client.get(f"/projects/{place.project_id}/{path}")
    assert response.status_code == 200
    return response.content.decode()


@pytest.mark.parametrize("view", ["tree", "board", "list", "nonsense"])
def test_each_view_shows_the_stories(client: Client, place: Place, view: str) -> None:
    text = page(client, place, f"backlog?view={view}")
    assert ("See the stalls" in text, "Árvore de preços" in text) == (True, True)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("words=stalls", {"S-1"}),
        ("words=ARVORE", {"S-2"}),
        ("words=s-2", {"S-2"}),
        ("words=t-1", {"S-1"}),
        ("words=stalls+preços", set()),
        ("need=promotion", {"S-1"}),
        ("need=content", {"S-2"}),
        ("need=tasks", {"S-2"}),
        ("status=draft", {"S-1", "S-2"}),
        ("status=ready", set()),
        ("epic=E1", {"S-1", "S-2"}),
        ("epic=E2", set()),
        ("status=nonsense&need=%00&words=%00", {"S-1", "S-2"}),
    ],
)
def test_a_filter_shows_what_it_says(client: Client, place: Place, query: str, found: set[str]) -> None:
    text = page(client, place, f"backlog?view=list&{query}")
    assert {code for code in ("S-1", "S-2") if f"/stories/{code}" in text} == found


def test_a_saved_filter_is_its_persons_own(client: Client, place: Place, signed_in: Browser) -> None:
    path = f"/projects/{place.project_id}/backlog"
    assert client.post(path, {"name": "Waits", "need": "promotion"}).status_code == 302
    assert client.post(path, {"name": "Waits", "status": "ready"}).status_code == 302
    (kept,) = selectors.saved_filters(place.project_id, place.user_id)
    other = signed_in(new_member(place, Role.VIEWER))
    other.post(path, {"drop": str(kept.id)})
    assert "Waits" not in other.get(path).content.decode()
    assert (kept.query, "Waits" in client.get(path).content.decode()) == ({"status": "ready"}, True)
    client.post(path, {"drop": str(kept.id)})
    assert selectors.saved_filters(place.project_id, place.user_id) == ()


@pytest.mark.parametrize("fields", [{"name": ""}, {"name": "a" * 300}, {"name": "\u0007"}, {"drop": "x"}])
def test_a_filter_that_cannot_be_kept_is_refused(client: Client, place: Place, fields: dict[str, str]) -> None:
    assert client.post(f"/projects/{place.project_id}/backlog", fields).status_code in {400, 422}


def test_the_queue_promotes_what_is_ticked_and_says_what_it_could_not(client: Client, place: Place) -> None:
    response = client.post(f"/projects/{place.project_id}/promotions", {"story": ["S-1", "S-2", "S-9"]})
    text = response.content.decode()
    assert ("S-2 is not complete" in text, "S-9" in text) == (True, True)
    assert selectors.story(place.project_id, "S-1").status is StoryStatus.READY


def test_who_promotes_is_set_by_a_maintainer(client: Client, place: Place, signed_in: Browser) -> None:
    path = f"/projects/{place.project_id}/promotions"
    developer = signed_in(new_member(place, Role.DEVELOPER))
    assert developer.post(path, {"promotion": "automatic"}).status_code == 403
    assert selectors.promotion_of(place.project_id) is Promotion.MANUAL
    client.post(path, {"promotion": "automatic"})
    assert selectors.promotion_of(place.project_id) is Promotion.AUTOMATIC


def edited(version: int, **texts: str) -> dict[str, str]:
    card = {"title": "See the stalls", "functional_requirements": "It is seen.", "rules": "R-1"}
    card |= {"definition_of_ready": "Agreed.", "definition_of_done": "Tested."}
    return {"do": "edit", "version": str(version), **card, **texts}


def test_a_story_is_changed_by_hand(client: Client, place: Place) -> None:
    path = f"/projects/{place.project_id}/stories/S-1"
    fields = edited(1, acceptance_criteria="One\r\n\r\n Two ", rules="r-1 R-2")
    assert client.post(path, fields).status_code == 302
    story = selectors.story(place.project_id, "S-1")
    assert (story.content.acceptance_criteria, story.content.rules) == (("One", "Two"), ("R-1", "R-2"))
    assert "What changed in version 2" in page(client, place, "stories/S-1")


def test_a_stale_change_shows_the_other_version_beside_what_was_typed(client: Client, place: Place) -> None:
    path = f"/projects/{place.project_id}/stories/S-1"
    client.post(path, edited(1, description="Ana was quicker."))
    response = client.post(path, edited(1, description="Mine is better."))
    text = response.content.decode()
    assert response.status_code == 409
    assert ("Ana was quicker." in text, "Mine is better." in text, 'value="2"' in text) == (True, True, True)
    assert selectors.story(place.project_id, "S-1").content.description == "Ana was quicker."
    assert client.post(path, edited(2, description="Mine is better.")).status_code == 302


@pytest.mark.parametrize(
    "texts",
    [
        {"rules": "R-99"},
        {"rules": "everything"},
        {"title": ""},
        {"title": "a" * 5_000},
        {"description": "a" * 2_000_000},
        {"title": "Árvore de preços"},
        {"title": "\u0007\u0000"},
    ],
    ids=["unknown rule", "no code", "no title", "long title", "2 MB", "same title", "control characters"],
)
def test_a_change_that_is_refused_keeps_what_was_typed(client: Client, place: Place, texts: dict[str, str]) -> None:
    typed = edited(1, acceptance_criteria="What I typed.", **texts)
    response = client.post(f"/projects/{place.project_id}/stories/S-1", typed)
    assert response.status_code in {400, 409, 413, 422}
    assert selectors.story(place.project_id, "S-1").version == 1
    if "description" not in texts:
        assert "What I typed." in response.content.decode()


@pytest.mark.parametrize("fields", [{}, {"do": "x"}, {"do": "edit"}, {"do": "edit", "version": "x"}])
def test_nonsense_is_refused(client: Client, place: Place, fields: dict[str, str]) -> None:
    assert client.post(f"/projects/{place.project_id}/stories/S-1", fields).status_code == 400


def test_a_story_is_promoted_and_taken_back_on_its_page(client: Client, place: Place) -> None:
    path = f"/projects/{place.project_id}/stories/S-1"
    client.post(path, {"do": "promote"})
    client.post(path, {"do": "demote", "reason": "Prices are missing."})
    story = selectors.story(place.project_id, "S-1")
    assert (story.status, story.is_proposed) == (StoryStatus.DRAFT, False)
    assert "Prices are missing." in page(client, place, "stories/S-1")


def test_a_story_that_is_given_back_tells_it_in_its_history(client: Client, place: Place) -> None:
    client.post(f"/projects/{place.project_id}/stories/S-1", {"do": "return", "reason": "Who pays?"})
    told = [event.payload.type for event in selectors.history(selectors.story(place.project_id, "S-1").id)]
    assert told == [
        "backlog.story_created",
        "backlog.story_promotion_proposed",
        "backlog.story_promotion_returned",
    ]
    assert "Who pays?" in page(client, place, "stories/S-1")


def test_coverage_names_both_sides(client: Client, place: Place) -> None:
    text = page(client, place, "coverage")
    assert ("1 rule of 2 has no story." in text, "1 story of 2 cites no rule." in text) == (True, True)


@pytest.mark.parametrize("path", ["backlog", "promotions", "coverage"])
def test_a_page_asks_as_often_for_many_stories_as_for_few(
    client: Client, place: Place, product_owner: Owner, path: str
) -> None:
    def asked() -> int:
        with CaptureQueriesContext(connection) as queries:
            page(client, place, path)
        return len(queries)

    before = asked()
    for number in range(12):
        product_owner.story(content(f"Story number {number} of many", "R-2", **COMPLETE))
    assert asked() == before
