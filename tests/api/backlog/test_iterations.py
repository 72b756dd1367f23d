"""Iterations: planned and ordered by people; detailed in a batch that does each story once, stops and goes on."""

from typing import Any

import pytest

from api.rooms.backlog import detailing_inputs, iteration_pages, selectors
from api.rooms.backlog import services as backlog
from api.rooms.backlog.iteration_pages import Batch, Progress
from api.rooms.turns import services as turns
from contracts.events import DetailingRequested, IterationPlanned
from contracts.failures import ErrorCode
from contracts.problem import ProblemCode
from contracts.routes.instances import TurnEnding
from contracts.vocabulary import TurnStatus
from tests.api.rooms.refused import refusal_of
from tests.factories.backlog import COMPLETE, Owner, content, owner
from tests.factories.conversation import events_of
from tests.factories.detailing import detailer
from tests.factories.places import Place
from tests.factories.races import together

STORIES = ("See the stalls", "Book a place", "Give it back")


@pytest.fixture
def work(place: Place) -> Owner:
    """S-1 to S-3 in E1; I-1 holds all three."""
    found = owner(place, "Stalls open on Sundays")
    found.epic()
    for title in STORIES:
        found.story(content(title, "R-1", **COMPLETE))
    backlog.plan_iteration(place.project_id, place.user_id, "First fair", 2)
    for code in ("S-1", "S-2", "S-3"):
        backlog.schedule(place.project_id, place.user_id, "I-1", code)
    return found


def page(place: Place) -> iteration_pages.IterationPage:
    return iteration_pages.iteration(place.project_id, "I-1")


def batch(place: Place) -> Batch:
    found = page(place).batch
    assert found is not None
    return found


def states(place: Place) -> list[Progress]:
    return [each.state for each in batch(place).stories]


def change(place: Place, *stories: str, version: int | None = None, **fields: object) -> None:
    known = {"title": "First fair", "capacity": 2, **fields}
    at = version if version is not None else page(place).card.version
    backlog.change_iteration(
        place.project_id, place.user_id, "I-1", at, str(known["title"]), int(str(known["capacity"])), stories
    )


def test_an_iteration_is_planned_in_order_and_told(place: Place, work: Owner) -> None:
    change(place, "S-3", "S-1")
    assert [story.code for story in page(place).stories] == ["S-3", "S-1"]
    assert selectors.story(place.project_id, "S-2").iteration == ""
    told = [event.payload for event in events_of(place.session_id) if isinstance(event.payload, IterationPlanned)]
    assert told[-1].stories == ("S-3", "S-1")


def test_more_than_fits_is_shown_and_not_refused(place: Place, work: Owner) -> None:
    assert (page(place).card.stories, page(place).card.is_over) == (3, True)


def test_a_stale_plan_is_refused(place: Place, work: Owner) -> None:
    version = page(place).card.version
    change(place, "S-1")
    assert refusal_of(lambda: change(place, "S-2", version=version)).code is ProblemCode.STALE_VERSION


@pytest.mark.parametrize("fields", [{"title": "\u0007"}, {"title": " "}, {"capacity": 0}, {"capacity": 201}])
def test_a_plan_that_cannot_be_is_refused(place: Place, work: Owner, fields: dict[str, Any]) -> None:
    assert refusal_of(lambda: change(place, "S-1", **fields)).code is ProblemCode.INVALID_BACKLOG
    assert refusal_of(lambda: change(place, "S-99")).code is ProblemCode.INVALID_BACKLOG
    assert len(page(place).stories) == 3


def test_without_an_epic_there_is_nothing_to_plan(place: Place) -> None:
    refused = refusal_of(lambda: backlog.plan_iteration(place.project_id, place.user_id, "Fair", 2))
    assert refused.code is ProblemCode.INVALID_BACKLOG


def test_each_story_without_tasks_has_an_agent_of_its_own(place: Place, work: Owner) -> None:
    work.task("S-2", "By the owner")
    session_id = backlog.detail_iteration(place.project_id, place.user_id, "I-1")
    asked = [
        (event.to_agent, event.payload.code)
        for event in events_of(session_id)
        if isinstance(event.payload, DetailingRequested)
    ]
    assert asked == [("task_detailing-1", "S-1"), ("task_detailing-3", "S-3")]
    assert states(place) == [Progress.WAITING, Progress.WAITING]


def test_a_story_that_was_detailed_is_done_and_the_batch_with_it(place: Place, work: Owner) -> None:
    session_id = backlog.detail_iteration(place.project_id, place.user_id, "I-1")
    for number, code in enumerate(("S-1", "S-2", "S-3"), 1):
        detailer(session_id, number).replace("Keep it", "Show it", story=code)
    assert states(place) == [Progress.DONE] * 3
    assert batch(place).is_finished
    refused = refusal_of(lambda: backlog.detail_iteration(place.project_id, place.user_id, "I-1"))
    assert "has tasks already" in refused.detail


def test_asking_twice_is_one_batch_and_asks_nobody_at_work_again(lasting: Place) -> None:
    found = owner(lasting, "Stalls open on Sundays")
    found.epic()
    found.story(content(STORIES[0], "R-1", **COMPLETE))
    backlog.plan_iteration(lasting.project_id, lasting.user_id, "Fair", 2)
    backlog.schedule(lasting.project_id, lasting.user_id, "I-1", "S-1")
    first = backlog.detail_iteration(lasting.project_id, lasting.user_id, "I-1")
    answers = together([lambda: backlog.detail_iteration(lasting.project_id, lasting.user_id, "I-1")] * 3)
    assert set(answers) == {first}
    assert len([event for event in events_of(first) if isinstance(event.payload, DetailingRequested)]) == 1


def test_a_batch_is_stopped_and_gone_on_with(place: Place, work: Owner) -> None:
    session_id = backlog.detail_iteration(place.project_id, place.user_id, "I-1")
    detailer(session_id, 1).replace("Keep it", story="S-1")
    running = detailer(session_id, 2)
    backlog.cancel_detailing(place.project_id, place.user_id, "I-1")
    assert states(place) == [Progress.DONE, Progress.CANCELLED, Progress.CANCELLED]
    assert refusal_of(lambda: running.replace("Late", story="S-2", version=1)).code is ProblemCode.STOPPED
    running.worker.release()
    assert backlog.detail_iteration(place.project_id, place.user_id, "I-1") == session_id
    assert states(place) == [Progress.DONE, Progress.WAITING, Progress.WAITING]
    detailer(session_id, 2).replace("Keep it", story="S-2")
    assert states(place) == [Progress.DONE, Progress.DONE, Progress.WAITING]


def test_a_story_that_failed_says_why_and_is_asked_again(place: Place, work: Owner) -> None:
    session_id = backlog.detail_iteration(place.project_id, place.user_id, "I-1")
    worker = detailer(session_id, 1).worker
    worker.save(worker.next_step(end=TurnEnding(status=TurnStatus.FAILED, reason=ErrorCode.INVALID_TASKS)))
    worker.release()
    assert (states(place)[0], batch(place).stories[0].reason) == (Progress.FAILED, "invalid_tasks")
    backlog.detail_iteration(place.project_id, place.user_id, "I-1")
    assert states(place)[0] is Progress.WAITING


def test_the_same_story_gives_the_same_inputs_whichever_was_detailed_before(place: Place, work: Owner) -> None:
    """Fifty in shuffled order: what is generated for a neighbour changes nothing."""
    before = detailing_inputs.inputs(place.project_id, "S-1").model_dump_json()
    session_id = backlog.detail_iteration(place.project_id, place.user_id, "I-1")
    detailer(session_id, 3).replace("Keep it", "Show it", story="S-3")
    detailer(session_id, 2).replace("Something else", story="S-2")
    assert detailing_inputs.inputs(place.project_id, "S-1").model_dump_json() == before


def test_a_batch_whose_session_is_closed_is_over(place: Place, work: Owner) -> None:
    first = backlog.detail_iteration(place.project_id, place.user_id, "I-1")
    turns.close_session(first, place.user_id)
    assert backlog.detail_iteration(place.project_id, place.user_id, "I-1") != first
