"""Money for everyone: axe finds nothing grave, nothing is wider than a phone, a limit is set by keyboard alone."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Arrival
from tests.browser.test_reach import PHONE, grave


@pytest.mark.parametrize(("language", "theme"), [("en", "light"), ("pt-br", "dark")])
def test_spend_and_budget_reach_everyone(language: str, theme: str, arrive: Arrival) -> None:
    person = arrive(language, width=PHONE, theme=theme)
    person.open_session()
    person.say(person.words.idea)
    page = person.page
    session = page.url
    page.goto(f"{session}budget")
    budget = grave(person), page.evaluate("document.documentElement.scrollWidth")
    page.locator("main p > a").click()
    expect(page.locator(".chart")).to_be_visible()
    page.locator(".fold > summary").click()
    spend = grave(person), page.evaluate("document.documentElement.scrollWidth")
    assert (budget, spend) == (([], PHONE), ([], PHONE))


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
