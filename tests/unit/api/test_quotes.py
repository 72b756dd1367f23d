"""What is quoted is found in its message word for word, case and the length of white space aside."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.rooms.backlog.domain.quotes import EDGES, span_of

MESSAGE = "Bread is sold\n  on Sundays only. A stall (C++) opens at 7!"


@pytest.mark.parametrize(
    ("quoted", "found"),
    [
        ("on Sundays only", "on Sundays only"),
        ("bread is SOLD on sundays", "Bread is sold\n  on Sundays"),
        ("“on Sundays only.”", "on Sundays only"),
        ("…is sold…", "is sold"),
        ("(C++)", "(C++)"),
        ("on Mondays", None),
        ("sold on only", None),
        (" … ", None),
        ("", None),
    ],
)
def test_a_quote_is_found_where_it_stands(quoted: str, found: str | None) -> None:
    span = span_of(MESSAGE, quoted)
    assert (MESSAGE[slice(*span)] if span else None) == found


@given(st.text(min_size=1, max_size=80), st.data())
def test_every_span_with_words_is_found_as_it_was_said(message: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(message) - 1))
    end = data.draw(st.integers(start + 1, len(message)))
    quoted = message[start:end]
    span, words = span_of(message, quoted), quoted.strip(EDGES).split()
    found = message[slice(*span)].split() if span else []
    assert len(found) == len(words)
    assert all(re.fullmatch(re.escape(word), there, re.IGNORECASE) for word, there in zip(words, found, strict=True))
