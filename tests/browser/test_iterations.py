"""An iteration, by keyboard and by mouse: planned, filled, put in order, and detailed while somebody watches."""

import json

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Arrival
from tests.browser.person import Person
from tests.chaos.batches import document
from tests.plugins.stack import Stack

STORIES = 3


@pytest.fixture
def at_work(arrive: Arrival, stack: Stack) -> Person:
    """In a project of their own, with three stories and nothing planned."""
    person = arrive()
    with stack.client() as http:
        name = {"workspace_id": stack.run["workspace"], "name": "Iterations", "language": "en"}
        project = http.post("/api/v1/projects", json=name).raise_for_status().json()["id"]
        told = {**document(STORIES), "iterations": []}
        body = {"format": "json", "text": json.dumps(told), "is_dry_run": False}
        http.post(f"/api/v1/projects/{project}/backlog/import", json=body).raise_for_status()
    person.page.goto(f"/projects/{project}/iterations")
    return person


def in_order(page: Page) -> list[str]:
    return [each.inner_text().split()[0] for each in page.locator("[data-order] .row-main a").all()]


def plan(page: Page) -> None:
    """By keyboard alone."""
    page.fill("#title", "First fair")
    page.press("#title", "Enter")
    expect(page.get_by_role("heading", name="I-1")).to_be_visible()
    for number in range(1, STORIES + 1):
        page.select_option("#add", f"S-{number}")
        page.locator("[name=do][value=add]").press("Enter")
        expect(page.locator("[data-order] li")).to_have_count(number)


def test_stories_are_put_in_order_by_keyboard_and_by_dragging(at_work: Person) -> None:
    page = at_work.page
    plan(page)
    page.get_by_role("button", name="Move S-3 up").press("Enter")
    expect(page.locator("[data-order] li").nth(1)).to_contain_text("S-3")
    assert in_order(page) == ["S-1", "S-3", "S-2"]
    with page.expect_navigation():
        page.locator("[data-order] li").nth(2).drag_to(
            page.locator("[data-order] li").nth(0), target_position={"x": 20, "y": 2}
        )
    assert in_order(page) == ["S-2", "S-1", "S-3"]
    page.get_by_role("button", name="Take S-1 out").press("Enter")
    expect(page.locator("[data-order] li")).to_have_count(2)


def test_a_batch_is_watched_until_every_story_is_written(at_work: Person) -> None:
    page = at_work.page
    plan(page)
    page.get_by_role("button", name="Detail this iteration").press("Enter")
    expect(page.locator("#detailing [role=status]")).to_contain_text("3 of 3 stories are detailed.", timeout=60_000)
    page.reload()
    expect(page.locator("#detailing")).to_contain_text("Every story has its tasks.")
    page.get_by_role("link", name="What happened").click()
    expect(page.locator("[data-type='backlog.tasks_replaced']")).to_have_count(STORIES)
