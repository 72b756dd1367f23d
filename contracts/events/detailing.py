"""How stories get their tasks, one by one or all of an iteration; and iterations."""

from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from contracts.backlog import Title
from contracts.base import Message
from contracts.codes import IterationCode, StoryCode, TaskCode
from contracts.detailing import Domain
from contracts.events.backlog import Named, Version
from contracts.failures import FailureOrigin
from contracts.limits import MAX_ITERATION_STORIES, MAX_REASON_CHARS
from contracts.vocabulary import TaskStatus

Stories = Annotated[tuple[StoryCode, ...], Field(max_length=MAX_ITERATION_STORIES)]


class IterationPlanned(Message):
    """An iteration as it stands after a person planned it: `capacity` says how many stories fit."""

    type: Literal["backlog.iteration_planned"] = "backlog.iteration_planned"
    iteration_id: UUID
    code: IterationCode
    title: Title
    capacity: Annotated[int, Field(ge=1)]
    stories: Stories


class DetailingRequested(Message):
    """A person asked for the tasks of a story of an iteration; the agent of that story is woken by it."""

    type: Literal["backlog.detailing_requested"] = "backlog.detailing_requested"
    iteration: IterationCode
    story_id: UUID
    code: StoryCode
    title: Title


class TasksReplaced(Message):
    """The tasks of a story were written anew; `previous` counts those before, `kept` were written by hand or begun."""

    type: Literal["backlog.tasks_replaced"] = "backlog.tasks_replaced"
    story_id: UUID
    code: StoryCode
    title: Title
    tasks_version: Version
    previous: Annotated[int, Field(ge=0)]
    removed: tuple[Named, ...] = ()
    kept: tuple[Named, ...] = ()
    added: tuple[Named, ...]


class TaskEdited(Message):
    """By hand: what was changed stays when the story is detailed again."""

    type: Literal["backlog.task_edited"] = "backlog.task_edited"
    task_id: UUID
    code: TaskCode
    story: StoryCode
    title: Title
    domain: Domain | None = None


class TaskRemoved(Message):
    type: Literal["backlog.task_removed"] = "backlog.task_removed"
    task_id: UUID
    code: TaskCode
    story: StoryCode
    title: Title


class TaskStatusChanged(Message):
    type: Literal["backlog.task_status_changed"] = "backlog.task_status_changed"
    task_id: UUID
    code: TaskCode
    story: StoryCode
    title: Title
    from_status: TaskStatus
    to_status: TaskStatus


class TaskBlocked(Message):
    """It is to do again and nobody takes it, until a person unblocks it."""

    type: Literal["backlog.task_blocked"] = "backlog.task_blocked"
    task_id: UUID
    code: TaskCode
    story: StoryCode
    title: Title
    reason: Annotated[str, Field(min_length=1, max_length=MAX_REASON_CHARS)]
    diagnosis: Annotated[str, Field(max_length=MAX_REASON_CHARS)] = ""
    origin: FailureOrigin | None = None


class TaskUnblocked(Message):
    type: Literal["backlog.task_unblocked"] = "backlog.task_unblocked"
    task_id: UUID
    code: TaskCode
    story: StoryCode
    title: Title
