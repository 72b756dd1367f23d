"""A running Mutirão whose rehearsal speaks slowly enough to be interrupted, and people who use it."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from playwright.sync_api import Browser, expect

from deploy.launcher import ports
from tests.browser.person import Person
from tests.plugins.stack import Stack

SLOWLY_MS = "70"
PATIENCE_MS = 30_000
expect.set_options(timeout=PATIENCE_MS)

Arrival = Callable[..., Person]


@pytest.fixture(scope="session")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """One for all browser tests."""
    stack = Stack(tmp_path_factory.mktemp("mutirao"), ports.free_port())
    try:
        yield stack.start(MUTIRAO_REHEARSAL_DELAY_MS=SLOWLY_MS, MUTIRAO_ALLOW_PRIVATE_BASE_URLS="1")
    finally:
        stack.stop()


@pytest.fixture
def arrive(stack: Stack, browser: Browser) -> Iterator[Arrival]:
    """Someone opens a browser; every script error on the way fails the test."""
    with ExitStack() as leaving:
        people: list[Person] = []

        def come(language: str = "en", *, width: int = 1280, theme: str = "light", is_signed_in: bool = True) -> Person:
            context = browser.new_context(viewport={"width": width, "height": 800}, locale=language, base_url=stack.url)
            leaving.callback(context.close)
            context.set_default_timeout(PATIENCE_MS)
            context.add_cookies(
                [
                    {"name": "theme", "value": theme, "url": stack.url},
                    {"name": "django_language", "value": language, "url": stack.url},
                ]
            )
            person = Person(context.new_page(), language, stack.run["email"], stack.run["password"])
            people.append(person)
            if is_signed_in:
                person.sign_in()
            return person

        yield come
        assert [error for person in people for error in person.errors] == []
