"""A rule's page: what it rests on, reworded and merged by hand; what that makes people look at."""

from collections.abc import Callable
from uuid import UUID

import pytest
from django.test import Client

from api.rooms.backlog import rule_pages, selectors
from contracts.vocabulary import Role
from tests.factories.backlog import COMPLETE, Owner, content, owner
from tests.factories.places import Place, new_member

Browser = Callable[[UUID], Client]


@pytest.fixture
def product_owner(place: Place) -> Owner:
    """S-1 cites R-1, and R-2 has no story."""
    product_owner = owner(place, "Stalls open on Sundays", "Nobody books twice")
    product_owner.epic("Stalls")
    product_owner.story(content("See the stalls", "R-1", **COMPLETE))
    return product_owner


@pytest.fixture
def client(place: Place, product_owner: Owner, signed_in: Browser) -> Client:
    return signed_in(place.user_id)


def address(place: Place, path: str = "rules/R-1") -> str:
    return f"/projects/{place.project_id}/{path}"


def shown(client: Client, place: Place, path: str = "rules/R-1") -> str:
    response = client.get(address(place, path))
    assert response.status_code == 200
    return response.content.decode()


def worded(
    version: int, title: str = "Stalls open at weekends", description: str = "On Saturdays too."
) -> dict[str, str]:
    return {"do": "edit", "version": str(version), "title": title, "description": description}


def test_a_rule_shows_what_rests_on_it(client: Client, place: Place) -> None:
    text = shown(client, place)
    assert ("Stalls open on Sundays" in text, "/stories/S-1" in text, "covered" in text) == (True, True, True)
    assert "No story cites it." in shown(client, place, "rules/R-2")


def test_other_words_are_saved_and_the_old_ones_still_read(client: Client, place: Place) -> None:
    assert client.post(address(place), worded(1)).status_code == 302
    text = shown(client, place)
    assert ("Stalls open at weekends" in text, "Stalls open on Sundays" in text) == (True, True)
    assert selectors.story(place.project_id, "S-1").stale_rules == ("R-1",)


def test_whoever_was_slower_sees_both_wordings(client: Client, place: Place) -> None:
    client.post(address(place), worded(1, description="Ana was quicker."))
    response = client.post(address(place), worded(1, description="Mine is better."))
    text = response.content.decode()
    assert response.status_code == 409
    assert ("Ana was quicker." in text, "Mine is better." in text, 'value="2"' in text) == (True, True, True)
    assert rule_pages.rule_page(place.project_id, "R-1").rule.version == 2


def test_a_look_settles_exactly_what_stood_on_the_page(client: Client, place: Place) -> None:
    client.post(address(place), worded(1))
    assert "S-1" in shown(client, place, "coverage").split("To be looked at")[1].split("</section>")[0]
    client.post(address(place), worded(2, "Stalls open always"))
    looked = {"do": "review", "seen": "R-1:2"}
    assert client.post(address(place, "stories/S-1"), looked).status_code == 409
    assert client.post(address(place, "stories/S-1"), looked | {"seen": "R-1:3"}).status_code == 302
    assert selectors.story(place.project_id, "S-1").stale_rules == ()
    assert "To be looked at" not in shown(client, place, "coverage")


def test_a_merged_rule_leads_to_the_one_that_stays(client: Client, place: Place) -> None:
    response = client.post(address(place), {"do": "merge", "into": "r-2"})
    assert (response.status_code, response.headers["Location"]) == (302, address(place, "rules/R-2"))
    merged = shown(client, place)
    assert (address(place, "rules/R-2") in merged, 'name="do"' in merged) == (True, False)


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({}, 400),
        ({"do": "edit", "version": "x"}, 400),
        (worded(1, title=""), 422),
        (worded(1, title="\u0007"), 422),
        (worded(1, description="a" * 100_000), 422),
        (worded(1, "Nobody books twice"), 409),
        ({"do": "merge", "into": "R-1"}, 422),
        ({"do": "merge", "into": "R-99"}, 422),
        ({"do": "merge", "into": "\x00"}, 422),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(
    client: Client, place: Place, fields: dict[str, str], status: int
) -> None:
    assert client.post(address(place), fields).status_code == status
    page = rule_pages.rule_page(place.project_id, "R-1")
    assert (page.rule.version, page.merged_into) == (1, "")


def test_who_may_only_read_is_offered_no_change(place: Place, client: Client, signed_in: Browser) -> None:
    viewer = signed_in(new_member(place, Role.VIEWER))
    assert 'name="do"' not in shown(viewer, place)
    assert viewer.post(address(place), worded(1)).status_code == 403
    assert viewer.get(address(place, "rules/R-99")).status_code == 404
