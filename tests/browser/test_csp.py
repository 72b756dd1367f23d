"""Threats 13 and 14: what people and models write runs nothing and fetches nothing; no page asks for an exception."""

from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import httpx
import pytest
from playwright.sync_api import Dialog, Page, Request, expect

from tests.browser.conftest import Arrival
from tests.browser.person import Person
from tests.fakes.model_server import ModelServer, Reply
from tests.plugins.stack import Stack

RUN = "window.pwned=1"
AWAY = "https://evil.example.net"
INLINE = "document.body.append(Object.assign(document.createElement('script'), {text: 'window.pwned=1'}))"
FILE = Path(__file__).with_name("payloads.txt")
PAYLOADS = tuple(
    line.replace("@RUN@", RUN).replace("@AWAY@", AWAY).replace("\\n", "\n") for line in FILE.read_text().splitlines()
)
"""One a line: markup, Markdown and what parsers make of them."""
ALL = "\n\n".join(PAYLOADS)


@pytest.fixture
def echo() -> Iterator[ModelServer]:
    """A model that says all of it."""
    with ModelServer(otherwise=lambda _: Reply(text=ALL, pieces=20)) as server:
        yield server


def watched(page: Page, stack: Stack) -> list[str]:
    """What a page asked of anybody else from now on."""
    strays: list[str] = []

    def asked(request: Request) -> None:
        if not is_ours(request.url, stack):
            strays.append(request.url)

    def spoke(dialog: Dialog) -> None:
        strays.append(dialog.message)
        dialog.dismiss()

    page.on("request", asked)
    page.on("dialog", spoke)
    return strays


def is_ours(url: str, stack: Stack) -> bool:
    return url.startswith((stack.url, "data:", "blob:", "about:", stack.url.replace("http", "ws")))


def bind(http: httpx.Client, session_id: str, url: str) -> None:
    price = {"input_micros": 1, "output_micros": 1}
    body = {"provider": "openai_compatible", "base_url": url, "model": "echo", "price": price}
    http.put(f"/api/v1/sessions/{session_id}/model-binding", json=body).raise_for_status()


def test_what_is_written_runs_nothing_and_fetches_nothing(arrive: Arrival, stack: Stack, echo: ModelServer) -> None:
    """As a name of a project and of a session, as a message, as an agent's answer; live, and read again."""
    person = arrive()
    strays = watched(person.page, stack)
    with stack.client() as http:
        name = {"workspace_id": stack.run["workspace"], "name": PAYLOADS[1], "language": "en"}
        project = http.post("/api/v1/projects", json=name).raise_for_status().json()["id"]
        title = {"kind": "creative", "name": PAYLOADS[0]}
        session = http.post(f"/api/v1/projects/{project}/sessions", json=title).raise_for_status().json()["id"]
        bind(http, session, echo.url)
        person.page.goto(f"/sessions/{session}/")
        person.await_scripts()
        said = {"text": ALL, "client_message_id": uuid4().hex}
        http.post(f"/api/v1/sessions/{session}/messages", json=said).raise_for_status()
    expect(person.entries("turn.ended")).to_have_count(1)
    person.page.reload()
    expect(person.entries("agent.response")).to_have_count(1)
    for path in ("/projects/", f"/projects/{project}/", f"/projects/{project}/spend", f"/sessions/{session}/budget"):
        person.page.goto(path)
        assert person.page.evaluate("window.pwned") is None
    assert strays == []


def test_no_page_needs_an_exception_from_the_policy(arrive: Arrival, stack: Stack) -> None:
    """Whatever the policy refuses is an error on the console, and `arrive` lets none pass."""
    person = arrive()
    workspace, project = stack.run["workspace"], stack.run["project"]
    for path in pages(workspace, project):
        answer = person.page.goto(path)
        assert answer is not None
        assert answer.status == 200, path
        person.page.wait_for_load_state("load")
    assert_refused(person)


def pages(workspace: str, project: str) -> tuple[str, ...]:
    of_workspace = [f"/workspaces/{workspace}/{page}" for page in ("spend", "budget", "models", "keys", "model")]
    of_project = [f"/projects/{project}/{page}" for page in ("", "spend", "budget", "model")]
    rows = [
        f"/admin/{name}/" for name in ("gateway/call", "budgets/hold", "agents/instance", "turns/turn", "accounts/user")
    ]
    return ("/projects/", "/components/", *of_workspace, *of_project, "/admin/", *rows)


def assert_refused(person: Person) -> None:
    """The control: an inline script is refused, and the console says so."""
    assert person.errors == []
    person.page.evaluate(
        "document.body.append(Object.assign(document.createElement('script'), {text: 'window.pwned=1'}))"
    )
    assert person.page.evaluate("window.pwned") is None
    assert any("Content Security Policy" in error for error in person.errors)
    person.errors.clear()
