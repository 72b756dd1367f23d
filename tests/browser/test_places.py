"""Every page, in both languages and themes, wide and on a phone: read aloud, by keyboard alone, in one language.

MUTIRAO_PICTURES=/a/folder takes pictures of all of them.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from uuid import UUID

import pytest
from django.urls import resolve

from tests.browser import remnants, walking
from tests.browser.conftest import Doors, Furniture
from tests.browser.person import Person
from tests.browser.places import FRAGMENTS, PLACES, Place
from tests.browser.reach import CONTRAST, PHONE, WIDE, grave, overflow, resize, set_theme
from tests.security.matrix.table import CASES

PICTURES = os.environ.get("MUTIRAO_PICTURES", "")
LANGUAGES = ("en", "pt-br")
Shown = tuple[Place, Person]
Readers = Callable[..., Person]


def test_every_page_has_a_place() -> None:
    slots = dict.fromkeys(("workspace", "project", "session", "model"), str(UUID(int=0))) | {
        "story": "S-1",
        "rule": "R-1",
        "iteration": "I-1",
        "ending": "csv",
    }
    read = [case.path.format_map(slots) for case in CASES if case.method == "GET" and not case.is_rest]
    found = {match.url_name for match in map(resolve, read) if match.namespace == "web"}
    assert found - FRAGMENTS == {place.name for place in PLACES if place.name}


@pytest.fixture(scope="module", params=LANGUAGES)
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def readers(doors: Doors, furniture: Furniture) -> Iterator[Readers]:
    """One window for all pages of a language, and one that is not signed in."""
    with ExitStack() as leaving:
        who = (furniture.email, furniture.password)

        @cache
        def reader(language: str, *, is_signed_in: bool) -> Person:
            coming = doors.come(who, language, width=WIDE, theme="light", is_signed_in=is_signed_in)
            return leaving.enter_context(coming)

        yield reader


@pytest.fixture(scope="module", params=PLACES, ids=lambda place: place.id)
def shown(request: pytest.FixtureRequest, language: str, readers: Readers, furniture: Furniture) -> Iterator[Shown]:
    place: Place = request.param
    person = readers(language, is_signed_in=place.is_signed_in)
    resize(person.page, WIDE)
    set_theme(person.page, "light")
    answer = person.page.goto(place.path.format_map(furniture.of(language)))
    assert answer is not None
    assert answer.status == place.status
    place.act(person.page)
    if PICTURES:
        take_pictures(person, f"{place.id}.{language}")
    open_folds(person)
    yield place, person
    assert person.errors == []


def open_folds(person: Person) -> None:
    person.page.evaluate("document.querySelectorAll('details.fold').forEach(fold => { fold.open = true })")


def take_pictures(person: Person, name: str) -> None:
    """As it comes in the light, and with everything unfolded in the dark."""
    Path(PICTURES).mkdir(parents=True, exist_ok=True)
    for theme in ("light", "dark"):
        set_theme(person.page, theme)
        for width in (WIDE, PHONE):
            resize(person.page, width)
            person.page.screenshot(path=f"{PICTURES}/{name}.{theme}.{width}.png", full_page=True)
        open_folds(person)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_grave(shown: Shown, theme: str) -> None:
    """All rules in the light; the dark is other colours alone."""
    _, person = shown
    resize(person.page, WIDE)
    set_theme(person.page, theme)
    assert grave(person, None if theme == "light" else CONTRAST) == []


def test_nothing_is_wider_than_a_phone(shown: Shown) -> None:
    _, person = shown
    resize(person.page, PHONE)
    assert overflow(person.page) == []


def test_everything_is_reached_by_keyboard_and_seen_there(shown: Shown) -> None:
    _, person = shown
    resize(person.page, WIDE)
    assert walking.missed(person.page) == []


@pytest.mark.parametrize("language", ["pt-br"], indirect=True, scope="module")
def test_portuguese_has_no_english_left_in_it(shown: Shown) -> None:
    _, person = shown
    assert remnants.english(person.page) == []
