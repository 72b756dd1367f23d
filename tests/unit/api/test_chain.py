"""The hash chain: whatever is done to a log, the first seq that does not fit is named."""

import hashlib
from dataclasses import replace
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from api.rooms.agent_sessions.domain.chain import Broken, Link, Start, genesis, next_hash, verify

SESSION = UUID(int=7)
BEGINNING = Start(genesis(SESSION))
TEXTS = st.lists(st.text(st.characters(exclude_categories=["Cs"])), min_size=1, max_size=8)


def chained(texts: list[str]) -> list[Link]:
    links, previous = [], genesis(SESSION)
    for seq, text in enumerate(texts, start=1):
        previous = next_hash(previous, text)
        links.append(Link(seq, text, previous))
    return links


def check(links: list[Link], whole: list[Link]) -> Broken | None:
    """`links` against the head of the whole log."""
    return verify(BEGINNING, links, len(whole) + 1, whole[-1].hash)


def test_the_first_previous_is_the_hash_of_the_session_id() -> None:
    assert genesis(SESSION) == hashlib.sha256(str(SESSION).encode()).digest()


def test_a_hash_covers_the_one_before_it() -> None:
    assert next_hash(b"\x01", "é") == hashlib.sha256(b"\x01\xc3\xa9").digest()


def test_an_empty_log_is_whole() -> None:
    assert verify(BEGINNING, [], 1, genesis(SESSION)) is None


@given(TEXTS)
def test_an_untouched_log_is_whole(texts: list[str]) -> None:
    links = chained(texts)
    assert check(links, links) is None


@given(TEXTS, st.data())
def test_an_altered_event_is_named(texts: list[str], data: st.DataObject) -> None:
    links = chained(texts)
    at = data.draw(st.integers(0, len(links) - 1))
    altered = [*links[:at], replace(links[at], canonical=links[at].canonical + "!"), *links[at + 1 :]]
    assert check(altered, links) == Broken(at + 1, "altered")


@given(TEXTS, st.data())
def test_a_missing_event_is_named(texts: list[str], data: st.DataObject) -> None:
    links = chained(texts)
    at = data.draw(st.integers(0, len(links) - 1))
    what = "missing" if at < len(links) - 1 else "cut off before the head"
    assert check(links[:at] + links[at + 1 :], links) == Broken(at + 1, what)


@given(TEXTS, st.data())
def test_a_log_that_was_written_anew_does_not_fit_its_head(texts: list[str], data: st.DataObject) -> None:
    links = chained(texts)
    at = data.draw(st.integers(0, len(links) - 1))
    forged = chained([text + "!" * (number == at) for number, text in enumerate(texts)])
    assert check(forged, links) == Broken(len(links), "head does not match")


@given(TEXTS, TEXTS.filter(lambda texts: len(texts) > 1))
def test_what_follows_an_erased_log_hangs_on_its_tombstone(erased: list[str], kept: list[str]) -> None:
    whole = chained([*erased, *kept])
    stone = Start(whole[len(erased) - 1].hash, len(erased) + 1)
    assert verify(stone, whole[len(erased) :], len(whole) + 1, whole[-1].hash) is None
    assert verify(stone, whole[len(erased) + 1 :], len(whole) + 1, whole[-1].hash) == Broken(len(erased) + 1, "missing")
