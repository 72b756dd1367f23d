"""What agents read and write in their project's backlog: keyed effects, and two reads that take no parameters."""

from typing import Annotated
from uuid import UUID

from pydantic import Field

from contracts.backlog import Lines, StoryChanges, StoryContent, Text, Title
from contracts.base import Message
from contracts.codes import EpicCode, FeatureCode, RuleCode, StoryCode, TaskCode
from contracts.events.backlog import Named, TextChange, Version
from contracts.problem import ProblemCode
from contracts.routes.effects import Effect
from contracts.routes.instances import Fence
from contracts.routes.route import Route
from contracts.vocabulary import StoryStatus, TaskStatus


class CreateEpic(Effect):
    title: Title
    description: Text = ""


class EpicMade(Message):
    code: EpicCode
    title: Title


class CreateFeature(Effect):
    epic: EpicCode
    title: Title
    description: Text = ""
    acceptance_criteria: Lines = ()
    test_scenarios: Lines = ()


class FeatureMade(Message):
    code: FeatureCode
    title: Title


class CreateStory(Effect):
    """`feature` is one of the epic's."""

    epic: EpicCode
    feature: FeatureCode | None = None
    content: StoryContent


class StoryState(Message):
    """How a story stands: what it lacks for readiness, by name, and whether it waits for a person."""

    code: StoryCode
    title: Title
    version: Version
    status: StoryStatus
    is_proposed: bool
    missing: tuple[str, ...] = ()


class StoryMade(Message):
    """`overlaps` covers all its rules already; `resembles` have titles that are much alike."""

    story: StoryState
    overlaps: Named | None = None
    resembles: tuple[Named, ...] = ()


class EditStory(Effect):
    """Refused with 409 `stale_version` when the story is not at `version` any more."""

    story: StoryCode
    version: Version
    changes: StoryChanges


class StoryChanged(Message):
    story: StoryState
    changes: tuple[TextChange, ...]


class CreateTask(Effect):
    story: StoryCode
    title: Title
    description: Text = ""


class TaskMade(Message):
    code: TaskCode
    story: StoryCode
    title: Title


class RuleLine(Message):
    """A rule as it stands, with the stories that cite it; none: it is not covered."""

    code: RuleCode
    title: Title
    description: Text
    stories: tuple[StoryCode, ...]


class RulesAnswer(Message):
    """Those that no story covers come first; `total` and `uncovered` count all there are."""

    rules: tuple[RuleLine, ...]
    total: int
    uncovered: int


class TaskLine(Message):
    code: TaskCode
    title: Title
    status: TaskStatus


class StoryLine(Message):
    """`returned_reason` is a person's, until the story is edited."""

    state: StoryState
    rules: tuple[RuleCode, ...]
    tasks: tuple[TaskLine, ...]
    returned_reason: str = ""
    feature: FeatureCode | None = None


class EpicLine(Message):
    """`stories_total` counts those that were left out too."""

    code: EpicCode
    title: Title
    features: tuple[Named, ...] = ()
    stories: tuple[StoryLine, ...]
    stories_total: Annotated[int, Field(ge=0)]


class BacklogAnswer(Message):
    """Epics without a story come first; `epics_total` counts those that were left out too."""

    epics: tuple[EpicLine, ...]
    epics_total: Annotated[int, Field(ge=0)]


class ReadBacklog(Fence):
    """Of the project that the instance works for; nothing to search, filter or page."""

    turn_id: UUID


_COMMON = (ProblemCode.NOT_FOUND, ProblemCode.FENCED, ProblemCode.STOPPED)
_KEYED = (*_COMMON, ProblemCode.IDEMPOTENCY_CONFLICT, ProblemCode.INVALID_BACKLOG, ProblemCode.FORBIDDEN)
CREATE_EPIC = Route("create_epic", "POST", "/instances/{instance_id}/epics", CreateEpic, EpicMade, _KEYED)
CREATE_FEATURE = Route(
    "create_feature", "POST", "/instances/{instance_id}/features", CreateFeature, FeatureMade, _KEYED
)
CREATE_STORY = Route(
    "create_story",
    "POST",
    "/instances/{instance_id}/stories",
    CreateStory,
    StoryMade,
    (*_KEYED, ProblemCode.DUPLICATE_STORY),
)
EDIT_STORY = Route(
    "edit_story",
    "POST",
    "/instances/{instance_id}/story-edits",
    EditStory,
    StoryChanged,
    (*_KEYED, ProblemCode.DUPLICATE_STORY, ProblemCode.STALE_VERSION),
)
CREATE_TASK = Route("create_task", "POST", "/instances/{instance_id}/tasks", CreateTask, TaskMade, _KEYED)
LIST_RULES = Route("list_rules", "POST", "/instances/{instance_id}/rules:read", ReadBacklog, RulesAnswer, _COMMON)
LIST_BACKLOG = Route(
    "list_backlog", "POST", "/instances/{instance_id}/backlog:read", ReadBacklog, BacklogAnswer, _COMMON
)
ROUTES = (CREATE_EPIC, CREATE_FEATURE, CREATE_STORY, EDIT_STORY, CREATE_TASK, LIST_RULES, LIST_BACKLOG)
