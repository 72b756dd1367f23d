"""A prototype is walked through in a frame of its own: no script runs there, and nothing is fetched."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Doors, Furniture
from tests.browser.person import Person
from tests.browser.test_csp import watched
from tests.plugins.stack import Stack


@pytest.fixture
def bia(doors: Doors, furniture: Furniture) -> Iterator[Person]:
    who = (furniture.email, furniture.password)
    with doors.come(who, "en", width=1280, theme="light", is_signed_in=True) as person:
        yield person
        assert person.errors == []


def test_screens_are_walked_through_without_a_script(bia: Person, furniture: Furniture, stack: Stack) -> None:
    strays = watched(bia.page, stack)
    bia.page.goto(f"/projects/{furniture.of('en')['project']}/prototype")
    frame = bia.page.frame_locator("iframe")
    expect(frame.get_by_role("heading", name="Search")).to_be_visible()
    expect(frame.get_by_role("heading", name="Ask for it")).to_be_hidden()
    frame.get_by_role("main").get_by_role("link", name="Ask for it").click()
    expect(frame.get_by_role("heading", name="Ask for it")).to_be_visible()
    expect(frame.get_by_role("heading", name="Search")).to_be_hidden()
    assert strays == []


def test_the_frame_is_an_origin_of_its_own(bia: Person, furniture: Furniture) -> None:
    response = bia.page.request.get(f"/projects/{furniture.of('en')['project']}/prototype/frame")
    policy = response.headers["content-security-policy"]
    assert {"default-src 'none'", "sandbox", "frame-ancestors 'self'"} <= set(policy.split("; "))
    assert "script-src" not in policy
