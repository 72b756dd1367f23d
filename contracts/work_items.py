"""What a conversation about an epic changes: several operations at once, all of them or none."""

from typing import Annotated, Literal

from pydantic import Field

from contracts.backlog import StoryChanges, StoryContent, Text, Title
from contracts.base import Message
from contracts.codes import StoryCode, TaskCode
from contracts.detailing import Domain, Version
from contracts.limits import MAX_OPERATIONS


class AddStory(Message):
    op: Literal["add_story"] = "add_story"
    content: StoryContent


class EditStory(Message):
    """Against the version that was read; parts that a person wrote by hand are left alone."""

    op: Literal["edit_story"] = "edit_story"
    story: StoryCode
    version: Version
    changes: StoryChanges


class AddTask(Message):
    op: Literal["add_task"] = "add_task"
    story: StoryCode
    title: Title
    description: Text = ""
    domain: Domain | None = None


class EditTask(Message):
    """Null leaves a part as it is."""

    op: Literal["edit_task"] = "edit_task"
    task: TaskCode
    version: Version
    title: Title | None = None
    description: Text | None = None
    domain: Domain | None = None


class RemoveTask(Message):
    op: Literal["remove_task"] = "remove_task"
    task: TaskCode


class OrderTasks(Message):
    """All tasks of the story, in the order that is wanted."""

    op: Literal["order_tasks"] = "order_tasks"
    story: StoryCode
    tasks: tuple[TaskCode, ...]


Operation = Annotated[AddStory | EditStory | AddTask | EditTask | RemoveTask | OrderTasks, Field(discriminator="op")]
Operations = Annotated[tuple[Operation, ...], Field(min_length=1, max_length=MAX_OPERATIONS)]
