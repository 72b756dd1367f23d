"""The Story Editor's changes: in one epic, all or nothing, and never over what a person wrote by hand."""

from typing import Any

import pytest

from api.rooms.backlog import selectors
from api.rooms.backlog import services as backlog
from api.rooms.backlog.services import work_items
from api.rooms.handoffs import services as handoffs
from contracts.backlog import StoryChanges, StoryContent
from contracts.detailing import Domain
from contracts.problem import ProblemCode
from contracts.routes.work_items import ReadWorkItems, UpdateWorkItems, WorkItems, WorkUpdated
from contracts.work_items import AddStory, AddTask, EditStory, EditTask, Operation, OrderTasks, RemoveTask
from tests.api.rooms.refused import refusal_of
from tests.factories.backlog import COMPLETE, content, hash_of, owner
from tests.factories.places import Place
from tests.factories.workers import Worker, running


class Editor:
    """At work on E1."""

    def __init__(self, worker: Worker) -> None:
        self.worker = worker

    def read(self) -> WorkItems:
        asked = ReadWorkItems(epoch=self.worker.epoch, turn_id=self.worker.turn_id, epic="E1")
        return work_items.read(self.worker.instance_id, asked)

    def update(self, *operations: Operation) -> WorkUpdated:
        self.worker.save(self.worker.next_step())
        fields: dict[str, Any] = {
            "epoch": self.worker.epoch,
            "turn_id": self.worker.turn_id,
            "step": self.worker.step,
        }
        asked = UpdateWorkItems(epic="E1", operations=operations, **fields)
        return work_items.update(self.worker.instance_id, asked, hash_of(asked))


@pytest.fixture
def editor(place: Place) -> Editor:
    """E1 has S-1 with T-1 and T-2; E2 has S-2."""
    work = owner(place, "Stalls open on Sundays")
    work.epic()
    work.epic("Prices")
    work.story(content("See the stalls", "R-1", **COMPLETE))
    work.story(content("See the prices", "R-1"), epic="E2")
    work.task("S-1", "A page")
    work.task("S-1", "A map")
    work.worker.answer()
    work.worker.release()
    handoffs.hand_to(place.session_id, place.user_id, "story_editor", "E1")
    return Editor(running(place.session_id, "story_editor"))


def titles(place: Place) -> list[str]:
    return [task.title for task in selectors.story(place.project_id, "S-1").tasks]


def test_the_epic_is_read_with_versions_and_what_is_by_hand(place: Place, editor: Editor) -> None:
    backlog.edit(place.project_id, place.user_id, "S-1", 1, StoryChanges(acceptance_criteria=("Mine.",)))
    backlog.edit_task(place.project_id, place.user_id, "T-1", 1, "A page of mine", "", None)
    (story,) = editor.read().stories
    assert (story.state.code, story.locked, story.task_versions) == ("S-1", ("acceptance_criteria",), (2, 1))
    assert [task.is_locked for task in story.tasks] == [True, False]


def test_several_changes_happen_together(place: Place, editor: Editor) -> None:
    done = editor.update(
        AddTask(story="S-1", title="A list", domain=Domain.FRONTEND),
        EditTask(task="T-1", version=1, title="A better page"),
        RemoveTask(task="T-2"),
        OrderTasks(story="S-1", tasks=("T-3", "T-1")),
        EditStory(story="S-1", version=1, changes=StoryChanges(description="Better.")),
        AddStory(content=StoryContent(title="Find a stall", rules=("R-1",))),
    )
    assert len(done.done) == 6
    assert titles(place) == ["A list", "A better page"]
    assert selectors.story(place.project_id, "S-3").epic == "E1"


@pytest.mark.parametrize(
    ("operation", "code"),
    [
        (RemoveTask(task="T-99"), ProblemCode.INVALID_BACKLOG),
        (EditTask(task="T-1", version=9, title="x"), ProblemCode.STALE_VERSION),
        (EditStory(story="S-1", version=9, changes=StoryChanges(title="x")), ProblemCode.STALE_VERSION),
        (AddTask(story="S-2", title="x"), ProblemCode.INVALID_BACKLOG),
        (OrderTasks(story="S-1", tasks=("T-1",)), ProblemCode.INVALID_BACKLOG),
        (AddStory(content=StoryContent(title="see the STALLS")), ProblemCode.DUPLICATE_STORY),
        (AddStory(content=StoryContent(title="x", rules=("R-9",))), ProblemCode.INVALID_BACKLOG),
        (AddTask(story="S-1", title="\u0007"), ProblemCode.INVALID_BACKLOG),
    ],
    ids=["unknown task", "stale task", "stale story", "another epic", "half an order", "twice", "strange rule", "bell"],
)
def test_one_that_is_refused_keeps_all_from_happening(
    place: Place, editor: Editor, operation: Operation, code: ProblemCode
) -> None:
    refused = refusal_of(lambda: editor.update(AddTask(story="S-1", title="Before it"), operation))
    assert refused.code is code
    assert titles(place) == ["A page", "A map"]


def test_what_a_person_wrote_stays(place: Place, editor: Editor) -> None:
    backlog.edit(place.project_id, place.user_id, "S-1", 1, StoryChanges(acceptance_criteria=("Mine.",)))
    backlog.edit_task(place.project_id, place.user_id, "T-1", 1, "A page of mine", "", None)
    changed = EditStory(story="S-1", version=2, changes=StoryChanges(acceptance_criteria=("Yours.",)))
    refused = refusal_of(lambda: editor.update(changed))
    assert (refused.code, refused.facts["locked"]) == (ProblemCode.INVALID_BACKLOG, "acceptance_criteria")
    assert "by hand" in refusal_of(lambda: editor.update(EditTask(task="T-1", version=2, title="x"))).detail
    assert "by hand" in refusal_of(lambda: editor.update(RemoveTask(task="T-1"))).detail
    editor.update(EditStory(story="S-1", version=2, changes=StoryChanges(description="Free.")))
    assert selectors.story(place.project_id, "S-1").content.acceptance_criteria == ("Mine.",)


def test_a_story_that_is_given_back_is_the_agents_again(place: Place, editor: Editor) -> None:
    backlog.edit(place.project_id, place.user_id, "S-1", 1, StoryChanges(acceptance_criteria=("Mine.",)))
    backlog.return_story(place.project_id, place.user_id, "S-1", "Say it better.")
    editor.update(EditStory(story="S-1", version=2, changes=StoryChanges(acceptance_criteria=("Better.",))))
    assert selectors.story(place.project_id, "S-1").content.acceptance_criteria == ("Better.",)
