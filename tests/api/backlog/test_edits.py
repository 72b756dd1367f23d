"""Edits: against a version, told before and after, with readiness looked at again (D_50)."""

from typing import Any

import pytest

from api.rooms.backlog import selectors
from api.rooms.backlog import services as backlog
from contracts.events import StoryEdited
from contracts.events.backlog import TextChange
from contracts.problem import ProblemCode
from contracts.vocabulary import StoryStatus
from tests.api.rooms.refused import refusal_of
from tests.factories.backlog import COMPLETE, Owner, content, owner
from tests.factories.conversation import events_of, head
from tests.factories.places import Place
from tests.factories.races import together


@pytest.fixture
def work(place: Place) -> Owner:
    """S-1 is complete."""
    found = owner(place, "Feira aos domingos", "Sem plástico")
    found.epic()
    found.story(content("See the stalls", "R-1", **COMPLETE))
    return found


def test_an_edit_tells_what_was_and_what_is(place: Place, work: Owner) -> None:
    changed = work.edit("S-1", 1, title="See all stalls", rules=("R-2", "R-1"))
    assert changed.story.version == 2
    last = events_of(place.session_id)[-1].payload
    assert isinstance(last, StoryEdited)
    assert last.changes == (
        TextChange(field="title", before=("See the stalls",), after=("See all stalls",)),
        TextChange(field="rules", before=("R-1",), after=("R-2", "R-1")),
    )
    assert selectors.story(place.project_id, "S-1").content.rules == ("R-1", "R-2")


def test_an_edit_that_changes_nothing_writes_nothing(place: Place, work: Owner) -> None:
    work.worker.save(work.worker.next_step())
    before = head(place.session_id)
    assert work.edit("S-1", 1, title="See the stalls").changes == ()
    assert (head(place.session_id), selectors.story(place.project_id, "S-1").version) == (before, 1)


def test_who_read_an_older_version_is_told_of_the_newer_one(work: Owner) -> None:
    work.edit("S-1", 1, title="See all stalls")
    refused = refusal_of(lambda: work.edit("S-1", 1, title="See my stalls"))
    assert (refused.code, refused.status) == (ProblemCode.STALE_VERSION, 409)
    assert refused.facts == {"code": "S-1", "current": "2", "read": "1"}


def test_a_ready_story_that_lacks_something_now_is_a_draft_again(place: Place, work: Owner) -> None:
    backlog.promote(place.project_id, place.user_id, ["S-1"])
    assert work.edit("S-1", 1, title="See all stalls").story.status is StoryStatus.READY
    changed = work.edit("S-1", 2, definition_of_done=(), rules=())
    assert (changed.story.status, changed.story.is_proposed) == (StoryStatus.DRAFT, False)
    assert changed.story.missing == ("definition_of_done", "business_rule")
    last = events_of(place.session_id)[-1].payload
    assert (last.type, getattr(last, "reason", "")) == (
        "backlog.story_transitioned",
        "definition_of_done, business_rule",
    )


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"title": "WATER THE PLANTS"}, ProblemCode.DUPLICATE_STORY),
        ({"title": "\u200b"}, ProblemCode.INVALID_BACKLOG),
        ({"rules": ("R-3",)}, ProblemCode.INVALID_BACKLOG),
    ],
)
def test_a_refused_edit_leaves_the_story_as_it_is(
    place: Place, work: Owner, changes: dict[str, Any], code: ProblemCode
) -> None:
    work.story(content("Water the plants", "R-2"))
    before = selectors.story(place.project_id, "S-1")
    assert refusal_of(lambda: work.edit("S-1", 1, **changes)).code is code
    assert selectors.story(place.project_id, "S-1") == before


def test_of_two_edits_at_once_one_is_refused(lasting: Place) -> None:
    first = owner(lasting, "Feira aos domingos")
    first.epic()
    first.story(content("See the stalls", "R-1"))
    second = owner(lasting.another_session(), "Sem plástico")
    acts = [lambda: first.edit("S-1", 1, title="One"), lambda: second.edit("S-1", 1, title="Two")]
    results = together(acts)
    assert sorted(getattr(each, "code", "changed") for each in results) == ["changed", ProblemCode.STALE_VERSION]
    assert selectors.story(lasting.project_id, "S-1").version == 2
