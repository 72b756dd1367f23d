"""A backlog as a document: what is exported and what is imported, with codes and links, and without a database."""

from typing import Annotated, Literal

from pydantic import Field

from contracts.backlog import Lines, StoryContent, Text, Title
from contracts.base import Message
from contracts.codes import EpicCode, FeatureCode, IterationCode, RuleCode, StoryCode, TaskCode
from contracts.detailing import Domain
from contracts.limits import MAX_DOCUMENT_ROWS, MAX_ITERATION_STORIES, MAX_REASON_CHARS
from contracts.vocabulary import StoryStatus, TaskStatus

FORMAT = "mutirao.backlog"


class RuleRow(Message):
    code: RuleCode
    title: Title
    description: Annotated[str, Field(min_length=1, max_length=20_000)]


class EpicRow(Message):
    code: EpicCode
    title: Title
    description: Text = ""


class FeatureRow(Message):
    """Its code says its epic."""

    code: FeatureCode
    title: Title
    description: Text = ""
    acceptance_criteria: Lines = ()
    test_scenarios: Lines = ()

    @property
    def epic(self) -> str:
        return self.code.split(".")[0]


class StoryRow(Message):
    """Its rules are in its content, by code."""

    code: StoryCode
    epic: EpicCode
    feature: FeatureCode | None = None
    content: StoryContent
    status: StoryStatus = StoryStatus.DRAFT
    modules: tuple[str, ...] = ()


class TaskRow(Message):
    code: TaskCode
    story: StoryCode
    title: Title
    description: Text = ""
    domain: Domain | None = None
    status: TaskStatus = TaskStatus.TODO
    is_locked: bool = False
    blocked_reason: Annotated[str, Field(max_length=MAX_REASON_CHARS)] = ""


class IterationRow(Message):
    code: IterationCode
    title: Title
    capacity: Annotated[int, Field(ge=1, le=MAX_ITERATION_STORIES)]
    stories: tuple[StoryCode, ...] = ()


class BacklogDocument(Message):
    """In the order in which it is made: what is linked to comes first."""

    format: Literal["mutirao.backlog"] = "mutirao.backlog"
    version: Literal[1] = 1
    project: str = ""
    rules: Annotated[tuple[RuleRow, ...], Field(max_length=MAX_DOCUMENT_ROWS)] = ()
    epics: Annotated[tuple[EpicRow, ...], Field(max_length=MAX_DOCUMENT_ROWS)] = ()
    features: Annotated[tuple[FeatureRow, ...], Field(max_length=MAX_DOCUMENT_ROWS)] = ()
    stories: Annotated[tuple[StoryRow, ...], Field(max_length=MAX_DOCUMENT_ROWS)] = ()
    tasks: Annotated[tuple[TaskRow, ...], Field(max_length=MAX_DOCUMENT_ROWS)] = ()
    iterations: Annotated[tuple[IterationRow, ...], Field(max_length=MAX_DOCUMENT_ROWS)] = ()
