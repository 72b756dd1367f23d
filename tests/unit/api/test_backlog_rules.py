"""Pure rules of the backlog: readiness, what an edit changes, titles and codes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.rooms.backlog.domain import changes, codes, readiness, titles
from contracts.backlog import STORY_LISTS, StoryChanges, StoryContent
from contracts.events.backlog import TextChange

LINES = st.lists(st.text("abc ", min_size=1, max_size=5), max_size=3).map(tuple)
TITLES = st.text("abc", min_size=1, max_size=5)
RULES = st.lists(st.integers(1, 9).map("R-{}".format), max_size=3, unique=True).map(tuple)
CONTENTS = st.builds(StoryContent, title=TITLES, description=TITLES, rules=RULES, **dict.fromkeys(STORY_LISTS, LINES))
CHANGES = st.builds(
    StoryChanges,
    title=st.none() | TITLES,
    rules=st.none() | RULES,
    **{name: st.none() | LINES for name in STORY_LISTS},
)
NEEDED = {
    "functional_requirement": "functional_requirements",
    "definition_of_ready": "definition_of_ready",
    "definition_of_done": "definition_of_done",
    "business_rule": "rules",
}


@given(CONTENTS)
def test_a_story_lacks_exactly_what_is_empty_of_what_it_needs(content: StoryContent) -> None:
    """RN_010."""
    assert readiness.missing(content) == tuple(lack for lack, field in NEEDED.items() if not getattr(content, field))


@given(CONTENTS, CHANGES)
def test_an_edit_tells_every_field_that_it_changed_and_no_other(content: StoryContent, edit: StoryChanges) -> None:
    after = changes.applied(content, edit)
    told = {change.field for change in changes.between(content, after)}
    assert told == {name for name in StoryContent.model_fields if getattr(content, name) != getattr(after, name)}
    for name in StoryContent.model_fields:
        wanted = getattr(edit, name, None)
        assert getattr(after, name) == (getattr(content, name) if wanted is None else wanted)


def test_a_change_is_told_as_lines() -> None:
    before = StoryContent(title="Old", functional_requirements=("One.",))
    after = StoryContent(title="New", functional_requirements=("One.", "Two."))
    assert changes.between(before, after) == (
        TextChange(field="title", before=("Old",), after=("New",)),
        TextChange(field="functional_requirements", before=("One.",), after=("One.", "Two.")),
    )


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("  Feira   aos\tdomingos ", "Feira aos domingos"),
        ("🥕", "🥕"),
        ("", None),
        (" \u200b\u2060 ", None),
        ("\u0301", None),
        ("Feira\x07", None),
        ("\x1b[31mFeira", None),
    ],
)
def test_a_title_can_be_seen_and_holds_no_control_characters(text: str, title: str | None) -> None:
    assert titles.cleaned(text) == title


@pytest.mark.parametrize(
    ("code", "number"), [("S-14", 14), ("S-0", 0), ("S-014", 0), ("s-14", 0), ("S-14 ", 0), ("T-14", 0), ("S-", 0)]
)
def test_a_code_is_read_as_it_is_given_out(code: str, number: int) -> None:
    assert codes.number_of(code, codes.STORY) == number
