"""Limits in the browser: set and removed by keyboard alone."""

from playwright.sync_api import expect

from tests.browser.conftest import Arrival


def test_a_limit_is_set_and_removed_by_keyboard(arrive: Arrival) -> None:
    person = arrive("en")
    person.begin_project()
    page = person.page
    page.goto(f"{page.url}budget")
    page.locator("#limit").focus()
    page.keyboard.type("12.50")
    page.keyboard.press("Enter")
    expect(page.locator("meter")).to_have_count(1)
    page.get_by_role("button", name="Remove the limit").focus()
    page.keyboard.press("Enter")
    expect(page.locator("meter")).to_have_count(0)
