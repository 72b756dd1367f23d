"""Every page of the web app and the states that are worth a look, by the names of the URL map.

A page without an entry here fails `test_every_page_has_a_place`.
"""

from collections.abc import Callable
from dataclasses import dataclass

from playwright.sync_api import Page

Act = Callable[[Page], None]


def stay(_page: Page) -> None:
    """As it comes."""


def refuse_limit(page: Page) -> None:
    page.fill("#limit", "ten")
    page.press("#limit", "Enter")
    page.wait_for_selector("#problem")


def refuse_address(page: Page) -> None:
    """A scheme that is never called."""
    page.fill("#base_url", "ftp://example.org/v1")
    page.locator("[name=do][value=test]").click()
    page.wait_for_selector("#problem")


def refuse_sign_in(page: Page) -> None:
    page.fill("#username", "nobody@example.org")
    page.fill("#password", "wrong")
    page.press("#password", "Enter")
    page.wait_for_selector("[role=alert]")


def refuse_edit(page: Page) -> None:
    """A rule that this project does not have."""
    page.locator("#edit > summary").click()
    page.fill("#part-rules", "R-99")
    page.locator("[name=do][value=edit]").click()
    page.wait_for_selector("#problem")


def refuse_wording(page: Page) -> None:
    """The words that it has already."""
    page.locator("#edit > summary").click()
    page.locator("[name=do][value=edit]").click()
    page.wait_for_selector("#problem")


def refuse_confirmation(page: Page) -> None:
    """Of a module map that is not the current one."""
    page.locator("[name=version]").evaluate("field => field.value = 99")
    page.locator("[name=do][value=confirm]").click()
    page.wait_for_selector("#problem")


def look_at_import(page: Page) -> None:
    """A dry run of another tool's file."""
    tasks = b'{"tasks": [{"id": 1, "title": "Lend", "subtasks": [{"id": 1, "title": "A form"}]}]}'
    page.select_option("#format", "task_master")
    page.set_input_files("#file", {"name": "tasks.json", "mimeType": "application/json", "buffer": tasks})
    page.locator("[name=do][value=look]").click()
    page.wait_for_selector("#found")


def open_menu(page: Page) -> None:
    page.locator("[data-menu] > summary.person").click()


def show_backstage(page: Page) -> None:
    page.locator("[data-menu] > summary.button").click()
    page.locator("[data-backstage]").click()
    page.locator("[data-menu] > summary.button").click()


@dataclass(frozen=True)
class Place:
    """`name` as the URL map has it, empty beyond it; `path` has slots for the furniture of the reader's language."""

    name: str
    path: str
    state: str = ""
    act: Act = stay
    status: int = 200
    is_signed_in: bool = True

    @property
    def id(self) -> str:
        return "-".join(filter(None, (self.name, self.state)))


WORKSPACE, PROJECT, SESSION = "/workspaces/{workspace}/", "/projects/{project}/", "/sessions/{talk}/"
PLACES = (
    Place("login", "/login/", is_signed_in=False),
    Place("login", "/login/", "refused", refuse_sign_in, is_signed_in=False),
    Place("components", "/components/"),
    Place("projects", "/projects/", "menu", open_menu),
    Place("project", PROJECT),
    Place("project", "/projects/{bare}/", "empty"),
    Place("project-model", PROJECT + "model"),
    Place("project-model", PROJECT + "model?agent=creative", "agent"),
    Place("backlog", PROJECT + "backlog"),
    Place("backlog", PROJECT + "backlog?view=board", "board"),
    Place("backlog", PROJECT + "backlog?view=list&status=ready", "list"),
    Place("backlog", PROJECT + "backlog?words=zzzz", "unfound"),
    Place("backlog", "/projects/{bare}/backlog", "empty"),
    Place("promotions", PROJECT + "promotions"),
    Place("promotions", "/projects/{bare}/promotions", "empty"),
    Place("coverage", PROJECT + "coverage"),
    Place("coverage", "/projects/{bare}/coverage", "empty"),
    Place("architecture", PROJECT + "architecture"),
    Place("architecture", PROJECT + "architecture", "refused", refuse_confirmation),
    Place("architecture", "/projects/{bare}/architecture", "empty"),
    Place("iterations", PROJECT + "iterations"),
    Place("iterations", "/projects/{bare}/iterations", "empty"),
    Place("iteration", PROJECT + "iterations/I-1"),
    Place("documents", PROJECT + "documents"),
    Place("documents", PROJECT + "documents", "found", look_at_import),
    Place("prototype", PROJECT + "prototype"),
    Place("prototype", "/projects/{bare}/prototype", "empty"),
    Place("story", PROJECT + "stories/S-1"),
    Place("story", PROJECT + "stories/S-2", "refused", refuse_edit),
    Place("rule", PROJECT + "rules/R-1"),
    Place("rule", PROJECT + "rules/R-1", "refused", refuse_wording),
    Place("session-model", SESSION + "model"),
    Place("workspace-model", WORKSPACE + "model"),
    Place("models", WORKSPACE + "models"),
    Place("models", WORKSPACE + "models?q=nothing", "unfound"),
    Place("one-model", WORKSPACE + "models/{model}"),
    Place("keys", WORKSPACE + "keys?preset=groq"),
    Place("keys", WORKSPACE + "keys", "refused", refuse_address),
    Place("workspace-spend", WORKSPACE + "spend"),
    Place("project-spend", PROJECT + "spend"),
    Place("project-spend", "/projects/{bare}/spend", "empty"),
    Place("workspace-budget", WORKSPACE + "budget"),
    Place("project-budget", PROJECT + "budget", "refused", refuse_limit),
    Place("session-budget", SESSION + "budget"),
    Place("session", SESSION, "backstage", show_backstage),
    Place("session", "/sessions/{empty}/", "empty"),
    Place("session", "/sessions/{closed}/", "closed"),
    Place("session", "/sessions/00000000-0000-0000-0000-000000000000/", "refused", status=404),
    Place("", "/nothing/stands/here", "nowhere", status=404),
)
FRAGMENTS = {"home", "timeline", "prototype-frame", "export"}
"""Read by GET, yet no pages: the way to the projects, pieces of an open session, what a frame shows, files."""
