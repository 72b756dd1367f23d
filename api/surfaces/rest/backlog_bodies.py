"""The public bodies of a backlog, as the OpenAPI document shows them."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import Field, RootModel

from contracts.architecture import ModuleName
from contracts.backlog import StoryChanges, StoryContent
from contracts.base import Message
from contracts.codes import EpicCode, FeatureCode, RuleCode, StoryCode, TaskCode
from contracts.detailing import Domain
from contracts.events.backlog import Version
from contracts.limits import MAX_REASON_CHARS
from contracts.vocabulary import Promotion, StoryStatus, TaskStatus

MAX_PROMOTED = 200


class TaskBody(Message):
    id: UUID
    code: TaskCode
    title: str
    description: str
    status: TaskStatus
    domain: Domain | None
    is_locked: bool
    version: int
    blocked_reason: str


class StoryBody(Message):
    """`missing` names what it lacks to be ready; `stale_rules` were reworded since the story cited them;
    `gone_modules` are not in the current map."""

    id: UUID
    code: StoryCode
    epic: EpicCode
    session_id: UUID
    content: StoryContent
    status: StoryStatus
    is_proposed: bool
    version: int
    missing: tuple[str, ...]
    stale_rules: tuple[RuleCode, ...]
    returned_reason: str
    returned_at: datetime | None
    tasks: tuple[TaskBody, ...]
    modules: tuple[ModuleName, ...]
    gone_modules: tuple[ModuleName, ...]
    tasks_version: int
    iteration: str
    feature: str


class FeatureBody(Message):
    id: UUID
    code: FeatureCode
    title: str
    description: str
    acceptance_criteria: tuple[str, ...]
    test_scenarios: tuple[str, ...]


class EpicBody(Message):
    """A story may belong to one of the features, by code."""

    id: UUID
    code: EpicCode
    title: str
    description: str
    session_id: UUID
    stories: tuple[StoryBody, ...]
    features: tuple[FeatureBody, ...]


class BacklogBody(Message):
    promotion: Promotion
    epics: tuple[EpicBody, ...]


class RuleBody(Message):
    """`session_id` and `seq` say where its present wording stands in the log."""

    id: UUID
    code: RuleCode
    title: str
    description: str
    session_id: UUID
    event_id: UUID
    seq: int
    version: int
    stories: tuple[StoryCode, ...]


class RuleList(RootModel[list[RuleBody]]):
    """All business rules of a project, by their numbers."""


class CoverageBody(Message):
    """Both ways (RN-011): rules that no story cites, and stories that cite no rule."""

    rules_without_story: tuple[RuleBody, ...]
    stories_without_rule: tuple[StoryBody, ...]
    rules_total: int
    stories_total: int


class StoryEdit(Message):
    """`version` is the one that you read: 409 `stale_version` when the story has another by now."""

    version: Version
    changes: StoryChanges


class Promotions(Message):
    stories: Annotated[tuple[StoryCode, ...], Field(min_length=1, max_length=MAX_PROMOTED)]


class RefusedBody(Message):
    code: StoryCode
    reason: str


class PromotedBody(Message):
    """Each story is a case of its own: those that could not be promoted say why (RN-048)."""

    promoted: tuple[StoryCode, ...]
    failed: tuple[RefusedBody, ...]


class Reason(Message):
    reason: Annotated[str, Field(min_length=1, max_length=MAX_REASON_CHARS)]


class PromotionBody(Message):
    promotion: Promotion
