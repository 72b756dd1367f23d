"""A running Mutirão, what stands in it, and people who use it."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import Browser, StorageState, expect

from deploy.launcher import environment, options, plan, ports
from tests.browser.person import Person
from tests.plugins.stack import ROOT, Stack

HOUSE = {"MUTIRAO_ALLOW_PRIVATE_BASE_URLS": "1"}
PATIENCE_MS = 30_000
expect.set_options(timeout=PATIENCE_MS)

Arrival = Callable[..., Person]
FURNISH_SECONDS = 120


@pytest.fixture(scope="session")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """One for all browser tests."""
    stack = Stack(tmp_path_factory.mktemp("mutirao"), ports.free_port())
    try:
        yield stack.start(**HOUSE)
    finally:
        stack.stop()


def plan_of(stack: Stack) -> plan.Plan:
    """Its addresses and secrets, as the launcher knows them."""
    return plan.redraw(options.from_environment({"MUTIRAO_HOME": str(stack.home), "PORT": str(stack.port)}))


@dataclass(frozen=True)
class Furniture:
    """What the house was furnished with: ids by name, and who owns it."""

    found: dict[str, str]

    @property
    def email(self) -> str:
        return self.found["email"]

    @property
    def password(self) -> str:
        return self.found["password"]

    def of(self, language: str) -> dict[str, str]:
        """For a reader of this language."""
        prefix = f"{language}."
        return self.found | {
            name.removeprefix(prefix): value for name, value in self.found.items() if name.startswith(prefix)
        }


@pytest.fixture(scope="session")
def furniture(stack: Stack) -> Furniture:
    """Rows of weeks and sessions that were told to the end, of a person who has nothing to do with other tests."""
    drawn = plan_of(stack)
    variables = environment.for_command(drawn.keyring, drawn.addresses, stack.environment(HOUSE))
    command = [sys.executable, "-m", "tests.browser.furniture"]
    done = subprocess.run(
        command, cwd=ROOT, env=variables, capture_output=True, text=True, timeout=FURNISH_SECONDS, check=False
    )
    assert done.returncode == 0, done.stderr
    return Furniture(json.loads(done.stdout))


@dataclass
class Doors:
    """Each person signs in once; later browsers come with what the first was given."""

    stack: Stack
    browser: Browser
    known: dict[str, StorageState] = field(default_factory=dict)

    @contextmanager
    def come(
        self, who: tuple[str, str], language: str, *, width: int, theme: str, is_signed_in: bool
    ) -> Iterator[Person]:
        """Someone (address and password) opens a browser of their own."""
        state = self.known.get(who[0]) if is_signed_in else None
        context = self.browser.new_context(
            viewport={"width": width, "height": 800},
            locale=language,
            base_url=self.stack.url,
            storage_state=state,
            reduced_motion="reduce",
        )
        context.set_default_timeout(PATIENCE_MS)
        for name, value in (("theme", theme), ("django_language", language)):
            context.add_cookies([{"name": name, "value": value, "url": self.stack.url}])
        try:
            person = Person(context.new_page(), language, *who)
            if is_signed_in and state is None:
                person.sign_in()
                self.known[who[0]] = context.storage_state()
            yield person
        finally:
            context.close()


@pytest.fixture(scope="session")
def doors(stack: Stack, browser: Browser) -> Doors:
    return Doors(stack, browser)


@pytest.fixture
def arrive(stack: Stack, doors: Doors) -> Iterator[Arrival]:
    """Someone opens a browser; every script error on the way fails the test."""
    with ExitStack() as leaving:
        people: list[Person] = []

        def come(language: str = "en", *, width: int = 1280, theme: str = "light", is_signed_in: bool = True) -> Person:
            who = (stack.run["email"], stack.run["password"])
            person = leaving.enter_context(
                doors.come(who, language, width=width, theme=theme, is_signed_in=is_signed_in)
            )
            people.append(person)
            return person

        yield come
        assert [error for person in people for error in person.errors] == []
