"""Models and keys in the browser: a key is tested, stored, and its list read."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Arrival
from tests.browser.person import Person
from tests.fakes.model_server import ModelServer


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as server:
        yield server


def add_local(person: Person, address: str, name: str) -> None:
    person.page.fill("#base_url", address)
    person.page.fill("#model", name)
    person.page.press("#model", "Enter")


def settings(person: Person) -> str:
    """The address of the workspace, from the link on a project's page."""
    href = person.page.locator("main a[href$='/models']").first.get_attribute("href") or ""
    return href.removesuffix("/models")


def test_a_key_is_tested_and_stored_and_its_list_read(arrive: Arrival, server: ModelServer) -> None:
    person = arrive("en")
    person.begin_project()
    workspace = settings(person)
    page = person.page
    page.goto(f"{workspace}/keys")
    page.fill("#base_url", server.url)
    page.fill("#secret", "sk-canary")
    page.get_by_role("button", name="Only test").click()
    expect(page.locator("#answer")).to_be_visible()
    assert ("sk-canary" in page.content(), page.input_value("#secret")) == (False, "")
    page.fill("#secret", "sk-canary")
    page.get_by_role("button", name="Store without a test").click()
    expect(page.get_by_text("The key is stored.")).to_be_visible()
    page.goto(f"{workspace}/models")
    page.get_by_role("button", name="Read the lists now").click()
    expect(page.locator("#lists ~ .rows .row").filter(has_text=server.url)).to_contain_text("just now")
