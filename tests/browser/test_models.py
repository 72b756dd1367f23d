"""Models and keys for everyone: axe finds nothing grave, nothing is wider than a phone, a local model is one form."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Arrival
from tests.browser.person import Person
from tests.browser.test_reach import PHONE, grave
from tests.fakes.model_server import ModelServer


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as server:
        yield server


def reach(person: Person, path: str) -> tuple[list[str], int]:
    person.page.goto(path)
    return grave(person), person.page.evaluate("document.documentElement.scrollWidth")


def add_local(person: Person, address: str, name: str) -> None:
    person.page.fill("#base_url", address)
    person.page.fill("#model", name)
    person.page.press("#model", "Enter")


def settings(person: Person) -> str:
    """The address of the workspace, from the link on a project's page."""
    href = person.page.locator("main a[href$='/models']").first.get_attribute("href") or ""
    return href.removesuffix("/models")


@pytest.mark.parametrize(("language", "theme"), [("en", "light"), ("pt-br", "dark")])
def test_models_and_keys_reach_everyone(language: str, theme: str, arrive: Arrival, server: ModelServer) -> None:
    person = arrive(language, width=PHONE, theme=theme)
    person.begin_project()
    project, workspace = person.page.url, settings(person)
    person.page.goto(f"{project}model?agent=creative")
    add_local(person, server.url, f"vendor/a-model-with-a-name-that-is-long-{language}")
    expect(person.page.locator(".badge-mata")).to_have_count(1)
    pages = [f"{project}model", f"{workspace}/models", f"{workspace}/keys?preset=groq", f"{workspace}/model"]
    found = [reach(person, path) for path in pages]
    person.page.goto(f"{workspace}/models")
    person.page.locator(".model-name a").filter(has_text="vendor/").first.click()
    expect(person.page.locator("#price_in")).to_be_visible()
    assert [*found, reach(person, person.page.url)] == [([], PHONE)] * 5


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
    expect(page.locator("#lists ~ .rows .row").filter(has_text=server.url)).to_contain_text("ago")
