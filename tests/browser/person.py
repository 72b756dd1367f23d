"""A person at a browser, with the moves that the tests repeat."""

import re
from uuid import uuid4

from playwright.sync_api import ConsoleMessage, Error, Locator, Page, expect

from tests.browser.words import WORDS, Words

UUID = r"[0-9a-f-]{36}"
EXPECTED_NOISE = ("Failed to load resource", "WebSocket connection to", "net::ERR_")


class Person:
    """`errors` are what the browser's console said went wrong."""

    def __init__(self, page: Page, language: str, email: str, password: str) -> None:
        self.page = page
        self.language = language
        self.words: Words = WORDS[language]
        self.errors: list[str] = []
        self._email, self._password = email, password
        page.on("console", self._hear)
        page.on("pageerror", self._fall)

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type == "error" and not message.text.startswith(EXPECTED_NOISE):
            self.errors.append(message.text)

    def _fall(self, error: Error) -> None:
        self.errors.append(str(error))

    def sign_in(self) -> None:
        self.page.goto("/login/")
        self.page.fill("#username", self._email)
        self.page.fill("#password", self._password)
        self.page.get_by_role("button", name=self.words.sign_in).click()
        expect(self.page).to_have_url(re.compile("/projects/$"))

    def begin_project(self) -> None:
        """A new one, whose agents speak the person's language."""
        self.page.goto("/projects/")
        self.page.fill("#name", f"{self.language} {uuid4()}")
        self.page.select_option("#language", self.language)
        self.page.get_by_role("button", name=self.words.begin_project).click()
        expect(self.page).to_have_url(re.compile(f"/projects/{UUID}/$"))

    def open_session(self) -> None:
        self.begin_project()
        self.page.get_by_role("button", name=self.words.open_session).click()
        expect(self.page).to_have_url(re.compile(f"/sessions/{UUID}/$"))
        self.await_scripts()

    def await_scripts(self) -> None:
        """A page that is still loading does not hear keys yet."""
        expect(self.page.locator("[data-ready]")).to_have_count(1)

    def write(self, text: str) -> None:
        """Type and press Enter."""
        self.page.fill("#text", text)
        self.page.press("#text", "Enter")

    def say(self, text: str) -> None:
        """Write, and wait for the turn to be over."""
        turns = self.entries("turn.ended").count()
        self.write(text)
        expect(self.entries("turn.ended")).to_have_count(turns + 1)
        expect(self.button(self.words.stop)).to_have_count(0)

    def entries(self, event_type: str) -> Locator:
        return self.page.locator(f"[data-type='{event_type}']")

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    @property
    def live(self) -> Locator:
        """What an agent is saying right now."""
        return self.page.locator(".live-text")

    def seqs(self) -> list[int]:
        found: list[int] = self.page.eval_on_selector_all(".entry", "all => all.map(e => Number(e.dataset.seq))")
        return found
