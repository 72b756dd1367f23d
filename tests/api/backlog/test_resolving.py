"""Which story somebody means: a code as it is, a title only with a margin, else the candidates; each recorded."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.rooms.backlog.domain.resolving import ENOUGH, MARGIN, chosen
from api.rooms.backlog.services import resolving
from api.rooms.backlog.services.writing import Writer
from contracts.events import Actor
from contracts.routes.detailing import Resolution
from contracts.vocabulary import ActorKind
from tests.factories.backlog import content, owner
from tests.factories.places import Place

TITLES = ("Login with e-mail", "Login by e-mail", "See the stalls", "Árvore de preços")


@pytest.fixture
def writer(place: Place) -> Writer:
    found = owner(place, "Stalls open on Sundays")
    found.epic()
    for title in TITLES:
        found.story(content(title, "R-1"))
    return Writer(place.session_id, place.project_id, Actor(kind=ActorKind.AGENT, id="story_editor"))


@pytest.mark.parametrize(
    ("said", "how", "code"),
    [
        ("S-2", Resolution.CODE, "S-2"),
        ("s-2", Resolution.CODE, "S-2"),
        ("See the stalls", Resolution.RESOLVED, "S-3"),
        ("arvore de precos", Resolution.RESOLVED, "S-4"),
        ("the stalls", Resolution.RESOLVED, "S-3"),
        ("Login e-mail", Resolution.ASKED, None),
        ("Something else entirely", Resolution.ASKED, None),
        ("S-99", Resolution.ASKED, None),
    ],
)
def test_what_somebody_said_is_found_or_asked_about(
    writer: Writer, said: str, how: Resolution, code: str | None
) -> None:
    found = resolving.resolve(writer, said)
    assert (found.how, found.story.code if found.story else None) == (how, code)


def test_two_titles_that_are_nearly_alike_come_back_both(writer: Writer) -> None:
    found = resolving.resolve(writer, "Login e-mail")
    assert {each.code for each in found.candidates} >= {"S-1", "S-2"}


def test_an_epic_narrows_it(writer: Writer) -> None:
    assert resolving.resolve(writer, "See the stalls", "E9").story is not None
    assert resolving.resolve(writer, "See the stalls", "E1").how is Resolution.RESOLVED


def test_the_rate_is_counted_and_a_correction_is_one(writer: Writer) -> None:
    for said in ("S-1", "See the stalls", "Login e-mail", "S-2"):
        resolving.resolve(writer, said)
    assert resolving.rates(writer.project_id) == {
        Resolution.CODE: 1,
        Resolution.RESOLVED: 1,
        Resolution.ASKED: 1,
        Resolution.CORRECTED: 1,
    }


@given(st.lists(st.integers(min_value=0, max_value=100), max_size=5).map(lambda each: sorted(each, reverse=True)))
def test_only_a_clear_first_is_chosen(likenesses: list[int]) -> None:
    is_clear = (
        bool(likenesses)
        and likenesses[0] >= ENOUGH
        and (len(likenesses) == 1 or likenesses[0] - likenesses[1] >= MARGIN)
    )
    assert chosen(likenesses) == is_clear
