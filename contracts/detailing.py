"""What a story is detailed from, and the tasks that come of it: one shape for the conversation and for the batch."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from contracts.backlog import StoryContent, Text, Title
from contracts.base import Message
from contracts.codes import EpicCode, StoryCode, TaskCode
from contracts.limits import MAX_DETAILED_TASKS, MAX_NEIGHBOURS, MAX_SECTIONS
from contracts.vocabulary import Language, TaskStatus

Version = Annotated[int, Field(ge=1, le=2**31 - 1)]


class ProjectKind(StrEnum):
    """What is being built: prompts differ by it."""

    NEW = "new"
    ONGOING = "ongoing"
    MIGRATION = "migration"


class Domain(StrEnum):
    """Which kind of work a task is; every task has one."""

    BACKEND = "backend"
    FRONTEND = "frontend"
    DATABASE = "database"
    INTEGRATION = "integration"
    INFRASTRUCTURE = "infrastructure"
    SECURITY = "security"
    TESTING = "testing"
    DOCUMENTATION = "documentation"


class SectionName(StrEnum):
    """What of a project is laid before the generator, each with a budget of its own."""

    BRIEF = "brief"
    CITED_RULES = "cited_rules"
    OTHER_RULES = "other_rules"
    EPIC = "epic"
    STORY_HISTORY = "story_history"
    ITERATION = "iteration"
    MODULES = "modules"
    MODULE_MAP = "module_map"
    SYSTEM = "system"
    IMAGE = "image"
    DECISIONS = "decisions"
    INSIGHTS = "insights"
    PROTOTYPE = "prototype"


class Section(Message):
    """`is_cut`: there was more than its budget holds."""

    name: SectionName
    text: str
    is_cut: bool = False


class PresentTask(Message):
    """A locked task was written by hand and stays; so does one that was begun."""

    code: TaskCode
    title: Title
    description: Text
    domain: Domain | None
    status: TaskStatus
    is_locked: bool


class Neighbour(Message):
    """Another story of the same epic: what it asks for, and its tasks that were written by hand or begun.

    Tasks that were generated are left out, so that the order in which stories are detailed changes nothing.
    """

    code: StoryCode
    title: Title
    requirements: tuple[str, ...]
    tasks: tuple[str, ...]


class DetailingInputs(Message):
    """Everything that the tasks of a story depend on; the same inputs give the same request, byte for byte."""

    story: StoryCode
    epic: EpicCode
    content: StoryContent
    tasks_version: Version
    tasks: tuple[PresentTask, ...]
    sections: Annotated[tuple[Section, ...], Field(max_length=MAX_SECTIONS)]
    neighbours: Annotated[tuple[Neighbour, ...], Field(max_length=MAX_NEIGHBOURS)]
    kind: ProjectKind
    language: Language
    project_name: str


class DetailedTask(Message):
    domain: Domain
    title: Title
    description: Annotated[str, Field(min_length=1, max_length=4_000)]


class DetailedTasks(Message):
    """What the generator must answer, in the order in which the work is done."""

    tasks: Annotated[tuple[DetailedTask, ...], Field(min_length=1, max_length=MAX_DETAILED_TASKS)]
