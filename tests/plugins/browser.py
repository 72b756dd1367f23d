"""The browser of the tests: Chromium as the system has it. Without one they fail; they are never skipped."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

DEFAULT = Path("/usr/bin/chromium")


def chromium_path() -> Path:
    """CHROMIUM, else Debian's place."""
    path = Path(os.environ.get("CHROMIUM") or DEFAULT)
    if not os.access(path, os.X_OK):
        pytest.fail(
            f"No Chromium at {path}: install it (apt-get install chromium) or name one with CHROMIUM=…", pytrace=False
        )
    return path


@pytest.fixture(scope="session")
def chromium() -> Path:
    """Where the browser is."""
    return chromium_path()


@pytest.fixture(scope="session")
def browser(chromium: Path) -> Iterator[Browser]:
    """One headless browser for the session; take a new context for each test."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium)
        yield browser
        browser.close()
