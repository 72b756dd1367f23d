"""The Story Editor's changes: in one epic, all of them or none, and never over what a person wrote by hand."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from api.rooms.backlog import lists, selectors
from api.rooms.backlog.cards import StoryCard
from api.rooms.backlog.domain import codes
from api.rooms.backlog.models import Story, Task
from api.rooms.backlog.services import editing, numbering, refusing, standing
from api.rooms.backlog.services.by_agents import write_once
from api.rooms.backlog.services.epics import epic_of
from api.rooms.backlog.services.finding import story_of
from api.rooms.backlog.services.stories import create_story
from api.rooms.backlog.services.tasks import create_task
from api.rooms.backlog.services.writing import Writer
from api.rooms.kernel.clock import now
from contracts.detailing import PresentTask
from contracts.events import TaskEdited, TaskRemoved
from contracts.events.backlog import Named
from contracts.routes.backlog import StoryState
from contracts.routes.work_items import ReadWorkItems, UpdateWorkItems, WorkItems, WorkStory, WorkUpdated
from contracts.vocabulary import TaskStatus
from contracts.work_items import AddStory, AddTask, EditStory, EditTask, Operation, OrderTasks, RemoveTask


def read(instance_id: UUID, asked: ReadWorkItems) -> WorkItems:
    """Raises Refusal that names the epics there are."""
    project_id = lists.project_of(instance_id, asked)
    epic = epic_of(project_id, asked.epic)
    stories = [story for each in selectors.tree(project_id) if each.code == epic.code for story in each.stories]
    locked = dict(Story.objects.filter(epic=epic).values_list("id", "locked_fields"))
    return WorkItems(
        epic=Named(code=epic.code, title=epic.title),
        stories=tuple(_work(story, tuple(locked[story.id])) for story in stories),
    )


def _work(story: StoryCard, locked: tuple[str, ...]) -> WorkStory:
    return WorkStory(
        state=StoryState(
            code=story.code,
            title=story.content.title,
            version=story.version,
            status=story.status,
            is_proposed=story.is_proposed,
            missing=story.missing,
        ),
        content=story.content,
        tasks_version=story.tasks_version,
        tasks=tuple(
            PresentTask(
                code=task.code,
                title=task.title,
                description=task.description,
                domain=task.domain,
                status=task.status,
                is_locked=task.stays,
            )
            for task in story.tasks
        ),
        task_versions=tuple(task.version for task in story.tasks),
        locked=locked,
    )


def update(instance_id: UUID, asked: UpdateWorkItems, body_hash: str) -> WorkUpdated:
    def act(writer: Writer) -> WorkUpdated:
        numbering.lock(writer.project_id)
        epic = epic_of(writer.project_id, asked.epic)
        return WorkUpdated(done=tuple(_ACTS[type(each)](writer, epic.code, each) for each in asked.operations))

    return write_once(instance_id, asked, body_hash, "work_items", WorkUpdated, act)


def _add_story(writer: Writer, epic: str, asked: AddStory) -> str:
    made = create_story(writer, epic, asked.content)
    return f"Made the story {made.story.code} “{made.story.title}”."


def _edit_story(writer: Writer, epic: str, asked: EditStory) -> str:
    _in_epic(writer, epic, asked.story)
    done = editing.edit_story(writer, asked.story, asked.version, asked.changes)
    fields = ", ".join(change.field for change in done.changes) or "nothing"
    return f"Changed {fields} of {asked.story}; it is at version {done.story.version}."


def _add_task(writer: Writer, epic: str, asked: AddTask) -> str:
    _in_epic(writer, epic, asked.story)
    made = create_task(writer, asked.story, asked.title, asked.description)
    Task.objects.filter(project_id=writer.project_id, number=codes.number_of(made.code, codes.TASK)).update(
        domain=asked.domain or ""
    )
    return f"Added {made.code} “{made.title}” to {asked.story}."


def _edit_task(writer: Writer, epic: str, asked: EditTask) -> str:
    row = _open_task(writer, epic, asked.task)
    refusing.refuse_stale(asked.task, row.version, asked.version)
    title = refusing.title(asked.title) if asked.title is not None else row.title
    text = asked.description.strip() if asked.description is not None else row.description
    domain = asked.domain or row.domain
    standing.save(row, title=title, description=text, domain=domain, version=row.version + 1)
    numbering.touch_tasks(row.story)
    writer.tell(TaskEdited(**_facts(row), domain=asked.domain))
    return f"Changed {row.code} “{title}”; it is at version {row.version}."


def _remove_task(writer: Writer, epic: str, asked: RemoveTask) -> str:
    row = _open_task(writer, epic, asked.task)
    if row.status != TaskStatus.TODO:
        raise refusing.invalid(f"{row.code} is {row.status}: what was begun is not removed.", task=row.code)
    standing.save(row, removed_at=now())
    numbering.touch_tasks(row.story)
    writer.tell(TaskRemoved(**_facts(row)))
    return f"Removed {row.code} “{row.title}”."


def _order_tasks(writer: Writer, epic: str, asked: OrderTasks) -> str:
    story = _in_epic(writer, epic, asked.story)
    there = {task.code: task for task in story.tasks.filter(removed_at=None)}
    if set(there) != set(asked.tasks) or len(there) != len(asked.tasks):
        listed = ", ".join(there) or "none"
        raise refusing.invalid(f"Name each task of {story.code} once. There are: {listed}.", story=story.code)
    for place, code in enumerate(asked.tasks, 1):
        standing.save(there[code], position=place)
    numbering.touch_tasks(story)
    return f"Ordered the tasks of {story.code}."


_ACTS: dict[type[Operation], Callable[[Writer, str, Any], str]] = {
    AddStory: _add_story,
    EditStory: _edit_story,
    AddTask: _add_task,
    EditTask: _edit_task,
    RemoveTask: _remove_task,
    OrderTasks: _order_tasks,
}


def _in_epic(writer: Writer, epic: str, code: str) -> Story:
    """The conversation is about one epic: other stories are not changed in it."""
    story = story_of(writer.project_id, code)
    if story.epic.code != epic:
        raise refusing.invalid(
            f"{code} belongs to {story.epic.code}, and this conversation is about {epic}.", story=code
        )
    return story


def _open_task(writer: Writer, epic: str, code: str) -> Task:
    rows = Task.objects.select_related("story__epic").filter(project_id=writer.project_id, removed_at=None)
    row = rows.filter(number=codes.number_of(code, codes.TASK)).first()
    if row is None:
        known = rows.filter(story__epic__number=codes.number_of(epic, codes.EPIC)).order_by("number")
        raise refusing.unknown("task", [code], (f"{each.code} ({each.title})" for each in known))
    _in_epic(writer, epic, row.story.code)
    if row.is_locked:
        raise refusing.invalid(f"{code} was written by hand: ask the person to change it themselves.", task=code)
    return row


def _facts(row: Task) -> dict[str, Any]:
    return {"task_id": row.id, "code": row.code, "story": row.story.code, "title": row.title}
