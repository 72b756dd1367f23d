"""The whole chain by hand: an idea, a brief, a backlog, an architecture, a prototype, a detailed iteration."""

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import Arrival
from tests.browser.person import Person
from tests.browser.test_story import reach_the_offer

PATIENCE_MS = 60_000


def test_an_idea_becomes_a_detailed_iteration(arrive: Arrival) -> None:
    person = arrive("en")
    reach_the_offer(person)
    person.button(person.words.accept).click()
    expect(person.page.get_by_text(person.words.offered_on)).to_be_visible()
    project = str(person.page.locator(".trail a").nth(1).get_attribute("href"))
    design(person)
    draw(person)
    promote_and_confirm(person.page, project)
    detail(person.page, project)


def design(person: Person) -> None:
    """The Architect takes over and decides."""
    person.button(person.words.accept).click()
    expect(person.page.get_by_text("Confirm the architecture when you are content")).to_be_visible(timeout=PATIENCE_MS)
    expect(person.entries("artifact.module_map")).to_have_count(1)


def draw(person: Person) -> None:
    """A person hands the work to the UX Designer, from the session's menu."""
    person.page.locator("[data-menu] > summary.button").click()
    person.page.get_by_text("Hand the work to …").click()
    person.page.select_option("#to-agent", "ux_designer")
    person.button("Hand it over").click()
    expect(person.entries("artifact.navigable_prototype")).to_have_count(1, timeout=PATIENCE_MS)


def promote_and_confirm(page: Page, project: str) -> None:
    page.goto(f"{project}promotions")
    page.get_by_role("button", name="Promote what is ticked").click()
    expect(page.get_by_text("No story waits for you.")).to_be_visible()
    page.goto(f"{project}architecture")
    page.get_by_role("button", name="Approve").click()
    expect(page.locator(".decision")).to_contain_text("approved")
    page.get_by_role("button", name="Confirm the architecture").click()
    expect(page.get_by_text("Module map version 1 is confirmed.")).to_be_visible()


def detail(page: Page, project: str) -> None:
    """One story is left without tasks, and gets some."""
    page.goto(f"{project}stories/S-1")
    while page.locator(".row [name=do][value=task-remove]").count():
        page.locator(".row > .row-main > details > summary").first.click()
        with page.expect_navigation():
            page.locator("[name=do][value=task-remove]").first.click()
    expect(page.get_by_text("It has no task yet.")).to_be_visible()
    page.goto(f"{project}iterations")
    page.fill("#title", "First fair")
    page.press("#title", "Enter")
    page.locator("[name=do][value=add]").click()
    page.get_by_role("button", name="Detail this iteration").click()
    expect(page.locator("#detailing [role=status]")).to_contain_text("1 of 1 stories", timeout=PATIENCE_MS)
    page.goto(f"{project}stories/S-1")
    expect(page.locator("li.row[id^=T-]")).to_have_count(4)
    expect(page.locator("li.row[id^=T-]").first).to_contain_text(re.compile("Database"))
