"""What the generator of tasks reads and writes, and how a story is found by what somebody called it."""

from enum import StrEnum
from typing import Annotated
from uuid import UUID

from pydantic import Field

from contracts.base import Message
from contracts.codes import EpicCode, StoryCode
from contracts.detailing import DetailedTask, DetailingInputs
from contracts.events.backlog import Named, Version
from contracts.limits import MAX_DETAILED_TASKS, MAX_TITLE_CHARS
from contracts.problem import ProblemCode
from contracts.routes.effects import Effect
from contracts.routes.instances import Fence
from contracts.routes.route import Route


class ReadStory(Fence):
    turn_id: UUID
    story: StoryCode


class ReplaceTasks(Effect):
    """Against the task set that was read: 409 `stale_version` names another run's. Tasks that are there already are
    replaced only with `replace_existing` (`tasks_exist` otherwise); what was written by hand or begun stays."""

    story: StoryCode
    tasks_version: Version
    tasks: Annotated[tuple[DetailedTask, ...], Field(min_length=1, max_length=MAX_DETAILED_TASKS)]
    replace_existing: bool = False


class TasksWritten(Message):
    story: Named
    tasks_version: Version
    previous: int
    removed: tuple[Named, ...]
    kept: tuple[Named, ...]
    added: tuple[Named, ...]


class Resolution(StrEnum):
    """How a story that somebody named was found: by its code, by its title, not at once, or after a correction."""

    CODE = "code"
    RESOLVED = "resolved"
    ASKED = "asked"
    CORRECTED = "corrected"


class ResolveStory(Effect):
    """`said` is a code or a title as the person said it; `epic` narrows it."""

    said: Annotated[str, Field(min_length=1, max_length=MAX_TITLE_CHARS)]
    epic: EpicCode | None = None


class Candidate(Message):
    """`likeness` is in percent."""

    code: StoryCode
    title: str
    likeness: Annotated[int, Field(ge=0, le=100)]


class StoryResolved(Message):
    """`story` is null when the agent has to ask: the candidates are what it may have meant, the likeliest first."""

    how: Resolution
    story: Named | None
    candidates: tuple[Candidate, ...] = ()


_COMMON = (ProblemCode.NOT_FOUND, ProblemCode.FENCED, ProblemCode.STOPPED)
_KEYED = (*_COMMON, ProblemCode.IDEMPOTENCY_CONFLICT, ProblemCode.INVALID_BACKLOG, ProblemCode.FORBIDDEN)
READ_STORY = Route(
    "read_story",
    "POST",
    "/instances/{instance_id}/detailing:read",
    ReadStory,
    DetailingInputs,
    (*_COMMON, ProblemCode.INVALID_BACKLOG),
)
REPLACE_TASKS = Route(
    "replace_tasks",
    "POST",
    "/instances/{instance_id}/task-sets",
    ReplaceTasks,
    TasksWritten,
    (*_KEYED, ProblemCode.STALE_VERSION, ProblemCode.TASKS_EXIST),
)
RESOLVE_STORY = Route(
    "resolve_story", "POST", "/instances/{instance_id}/resolutions", ResolveStory, StoryResolved, _KEYED
)
ROUTES = (READ_STORY, REPLACE_TASKS, RESOLVE_STORY)
