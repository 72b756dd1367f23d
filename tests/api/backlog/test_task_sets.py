"""Tasks written anew: against what was read, never over a hand edit, with what went, stayed and came."""

import pytest

from api.rooms.agents.models import Instance
from api.rooms.backlog import selectors
from api.rooms.backlog import services as backlog
from api.rooms.backlog.models import Story, Task
from contracts.detailing import Domain
from contracts.events import TaskBlocked, TasksReplaced
from contracts.problem import ProblemCode
from contracts.vocabulary import TaskStatus
from tests.api.rooms.refused import refusal_of
from tests.factories.backlog import COMPLETE, Owner, content, owner
from tests.factories.conversation import events_of
from tests.factories.detailing import Detailer, detailer
from tests.factories.places import Place


@pytest.fixture
def work(place: Place) -> Owner:
    """S-1 and S-2 in I-1, without tasks."""
    found = owner(place, "Stalls open on Sundays")
    found.epic()
    for title in ("See the stalls", "Book a place"):
        found.story(content(title, "R-1", **COMPLETE))
    backlog.plan_iteration(place.project_id, place.user_id, "Fair", 2)
    for code in ("S-1", "S-2"):
        backlog.schedule(place.project_id, place.user_id, "I-1", code)
    return found


@pytest.fixture
def detail(place: Place, work: Owner) -> Detailer:
    return detailer(backlog.detail_iteration(place.project_id, place.user_id, "I-1"), 1)


def titles(place: Place, story: str = "S-1") -> list[str]:
    return [task.title for task in selectors.story(place.project_id, story).tasks]


def test_a_story_gets_its_tasks_once_however_often_it_is_asked(place: Place, detail: Detailer) -> None:
    made = detail.replace("Keep it", "Show it")
    assert (made.previous, [each.title for each in made.added]) == (0, ["Keep it", "Show it"])
    assert detail.replace("Keep it", "Show it", version=1, step=detail.worker.step) == made
    assert titles(place) == ["Keep it", "Show it"]


def test_what_is_there_is_not_replaced_without_a_yes(place: Place, detail: Detailer) -> None:
    detail.replace("Keep it")
    refused = refusal_of(lambda: detail.replace("Other"))
    assert (refused.code, refused.facts["previous"]) == (ProblemCode.TASKS_EXIST, "1")
    assert titles(place) == ["Keep it"]


def test_a_replacement_reports_what_went_stayed_and_came(place: Place, detail: Detailer) -> None:
    detail.replace("Keep it", "Show it", "Try it")
    card = selectors.story(place.project_id, "S-1").tasks[1]
    backlog.edit_task(place.project_id, place.user_id, card.code, 1, "Show it well", "By hand.", Domain.FRONTEND)
    backlog.move_task(place.project_id, place.user_id, "T-3", TaskStatus.IN_PROGRESS)
    made = detail.replace("show IT well", "Another", replace_existing=True)
    assert made.previous == 3
    assert [each.code for each in made.removed] == ["T-1"]
    assert [each.title for each in made.kept] == ["Show it well", "Try it"]
    assert [each.title for each in made.added] == ["Another"]
    assert titles(place) == ["Show it well", "Try it", "Another"]
    kept = selectors.story(place.project_id, "S-1").tasks[0]
    assert (kept.description, kept.is_locked, kept.domain) == ("By hand.", True, Domain.FRONTEND)
    told = [
        event.payload
        for event in events_of(Instance.objects.get(id=detail.worker.instance_id).session_id)
        if isinstance(event.payload, TasksReplaced)
    ]
    assert [each.previous for each in told] == [0, 3]


def test_a_run_that_read_an_older_set_is_told_whose_is_there(place: Place, work: Owner, detail: Detailer) -> None:
    detail.replace("Keep it")
    refused = refusal_of(lambda: detail.replace("Mine", version=1, replace_existing=True))
    assert (refused.code, "task_detailing-1" in refused.detail) == (ProblemCode.STALE_VERSION, True)
    assert titles(place) == ["Keep it"]


def test_a_hand_edit_meanwhile_makes_the_set_stale(place: Place, work: Owner, detail: Detailer) -> None:
    detail.replace("Keep it")
    version = detail.read().tasks_version
    backlog.edit_task(place.project_id, place.user_id, "T-1", 1, "Kept", "", None)
    refused = refusal_of(lambda: detail.replace("Mine", version=version, replace_existing=True))
    assert refused.code is ProblemCode.STALE_VERSION


def test_the_same_tasks_of_the_same_set_have_the_same_ids(place: Place, detail: Detailer) -> None:
    detail.replace("Keep it", "Show it")
    ids = [task.id for task in selectors.story(place.project_id, "S-1").tasks]
    Task.objects.all().delete()
    Story.objects.filter(number=1).update(tasks_version=1)
    detail.replace("Keep it", "Show it", version=1)
    assert [task.id for task in selectors.story(place.project_id, "S-1").tasks] == ids


def test_codes_of_removed_tasks_are_never_given_again(place: Place, detail: Detailer) -> None:
    detail.replace("Keep it")
    backlog.remove_task(place.project_id, place.user_id, "T-1")
    assert backlog.add_task(place.project_id, place.user_id, "S-1", "By hand", "", None) == "T-2"
    assert refusal_of(lambda: backlog.remove_task(place.project_id, place.user_id, "T-1")).code is ProblemCode.NOT_FOUND


def test_a_blocked_task_is_to_do_and_moves_nowhere(place: Place, work: Owner) -> None:
    code = backlog.add_task(place.project_id, place.user_id, "S-1", "By hand", "", None)
    backlog.move_task(place.project_id, place.user_id, code, TaskStatus.IN_PROGRESS)
    backlog.block_task(place.project_id, place.user_id, code, "No address.")
    card = selectors.story(place.project_id, "S-1").tasks[0]
    assert (card.status, card.blocked_reason) == (TaskStatus.TODO, "No address.")
    told = [event.payload for event in events_of(place.session_id) if isinstance(event.payload, TaskBlocked)]
    assert [each.reason for each in told] == ["No address."]

    def move() -> None:
        backlog.move_task(place.project_id, place.user_id, code, TaskStatus.IN_PROGRESS)

    assert "Unblock it first" in refusal_of(move).detail
    backlog.unblock_task(place.project_id, place.user_id, code)
    move()
    assert selectors.story(place.project_id, "S-1").tasks[0].status is TaskStatus.IN_PROGRESS


def test_a_move_that_is_not_in_the_table_is_refused_with_those_that_are(place: Place, work: Owner) -> None:
    code = backlog.add_task(place.project_id, place.user_id, "S-1", "By hand", "", None)
    refused = refusal_of(lambda: backlog.move_task(place.project_id, place.user_id, code, TaskStatus.DONE))
    assert "It may become in_progress" in refused.detail


@pytest.mark.parametrize("title", ["", "\u0007", "a" * 300])
def test_a_task_that_cannot_be_named_is_refused(place: Place, work: Owner, title: str) -> None:
    refused = refusal_of(lambda: backlog.add_task(place.project_id, place.user_id, "S-1", title, "", None))
    assert refused.code is ProblemCode.INVALID_BACKLOG
    assert titles(place) == []
