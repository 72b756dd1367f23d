"""A person decides what is ready: some at a time, with a reason for what is given back (RN_048)."""

import pytest

from api.rooms.backlog import selectors
from api.rooms.backlog import services as backlog
from contracts.problem import ProblemCode
from contracts.vocabulary import Promotion, StoryStatus
from tests.api.rooms.refused import refusal_of
from tests.factories.backlog import COMPLETE, Owner, content, owner
from tests.factories.conversation import events_of, head, types_of
from tests.factories.places import Place
from tests.factories.workers import Worker


def with_stories(place: Place, *, complete: int = 1, drafts: int = 0) -> Owner:
    """S-1 … are complete, those after them lack everything but a rule."""
    work = owner(place, "Feira aos domingos")
    work.epic()
    for number in range(complete):
        work.story(content(f"Whole {'abcdefgh'[number] * 9}", "R-1", **COMPLETE))
    for number in range(drafts):
        work.story(content(f"Half {'stuvwxyz'[number] * 9}", "R-1"))
    return work


def test_a_complete_story_waits_for_a_person(place: Place) -> None:
    with_stories(place, drafts=1)
    assert [card.code for card in selectors.proposed(place.project_id)] == ["S-1"]
    assert types_of(place.session_id).count("backlog.story_promotion_proposed") == 1


def test_where_promotion_is_automatic_it_is_ready_at_once(place: Place) -> None:
    backlog.set_promotion(place.project_id, Promotion.AUTOMATIC)
    with_stories(place, drafts=1)
    states = [card.status for epic in selectors.tree(place.project_id) for card in epic.stories]
    assert states == [StoryStatus.READY, StoryStatus.DRAFT]
    assert selectors.proposed(place.project_id) == ()


def test_a_batch_promotes_what_it_can_and_says_why_of_the_rest(place: Place) -> None:
    with_stories(place, complete=2, drafts=1)
    result = backlog.promote(place.project_id, place.user_id, ["S-1", "S-3", "S-9", "S-2", "S-1"])
    assert result.promoted == ("S-1", "S-2")
    assert [(each.code, each.reason.split(":")[0]) for each in result.failed] == [
        ("S-3", "S-3 is not complete"),
        ("S-9", "There is no story S-9 in this project. There are"),
    ]
    moved = [event for event in events_of(place.session_id) if event.payload.type == "backlog.story_transitioned"]
    assert {event.actor.id for event in moved} == {str(place.user_id)}
    again = backlog.promote(place.project_id, place.user_id, ["S-1"])
    assert (again.promoted, again.failed[0].code) == ((), "S-1")


def test_a_story_that_is_given_back_wakes_the_product_owner_with_the_reason(place: Place) -> None:
    work = with_stories(place)
    work.worker.answer()
    work.worker.release()
    backlog.return_story(place.project_id, place.user_id, "S-1", "  And late stalls? ")
    last = events_of(place.session_id)[-1]
    assert (last.payload.type, last.to_agent) == ("backlog.story_promotion_returned", "product_owner")
    lease = Worker(work.instance_id).claim()
    assert lease is not None
    assert lease.inbox == (last,)
    card = selectors.story(place.project_id, "S-1")
    assert (card.is_proposed, card.returned_reason, card.status) == (False, "And late stalls?", StoryStatus.DRAFT)


def test_editing_what_was_given_back_proposes_it_again(place: Place) -> None:
    work = with_stories(place)
    backlog.return_story(place.project_id, place.user_id, "S-1", "And late stalls?")
    changed = work.edit("S-1", 1, acceptance_criteria=("A late stall is told.",))
    assert (changed.story.is_proposed, changed.story.version) == (True, 2)
    assert selectors.story(place.project_id, "S-1").returned_reason == ""


def test_only_what_waits_can_be_given_back(place: Place) -> None:
    with_stories(place, drafts=1)
    asked = refusal_of(lambda: backlog.return_story(place.project_id, place.user_id, "S-2", "Why?"))
    assert asked.code is ProblemCode.INVALID_BACKLOG


@pytest.mark.parametrize("reason", ["", "  ", "x" * 2001, "NUL \x00", "half \ud800"])
def test_a_reason_is_one_that_can_be_read(place: Place, reason: str) -> None:
    with_stories(place)
    before = head(place.session_id)
    given_back = refusal_of(lambda: backlog.return_story(place.project_id, place.user_id, "S-1", reason))
    taken_back = refusal_of(lambda: backlog.demote(place.project_id, place.user_id, "S-1", reason))
    assert (given_back.code, taken_back.code) == (ProblemCode.INVALID_BACKLOG, ProblemCode.INVALID_BACKLOG)
    assert head(place.session_id) == before


def test_a_person_takes_a_ready_story_back(place: Place) -> None:
    """D_50."""
    with_stories(place)
    backlog.promote(place.project_id, place.user_id, ["S-1"])
    backlog.demote(place.project_id, place.user_id, "S-1", "Too early.")
    card = selectors.story(place.project_id, "S-1")
    assert (card.status, card.version) == (StoryStatus.DRAFT, 1)
    asked = refusal_of(lambda: backlog.demote(place.project_id, place.user_id, "S-1", "Again."))
    assert asked.facts == {"status": "draft"}
