"""What is read of a backlog, as values."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from contracts.backlog import StoryContent
from contracts.detailing import Domain
from contracts.events import LogEvent
from contracts.vocabulary import StoryStatus, TaskStatus


@dataclass(frozen=True)
class RuleCard:
    """`stories` cite it; `session_id` and `seq` say where its present wording stands in the log."""

    id: UUID
    code: str
    title: str
    description: str
    session_id: UUID
    event_id: UUID
    seq: int
    version: int
    stories: tuple[str, ...]

    @property
    def is_covered(self) -> bool:
        return bool(self.stories)


@dataclass(frozen=True)
class TaskCard:
    id: UUID
    code: str
    title: str
    description: str
    status: TaskStatus
    domain: Domain | None = None
    is_locked: bool = False
    version: int = 1
    blocked_reason: str = ""

    @property
    def stays(self) -> bool:
        """Whether it is kept when its story is detailed again: written by hand, begun, or blocked."""
        return self.is_locked or self.status is not TaskStatus.TODO or bool(self.blocked_reason)


@dataclass(frozen=True)
class StoryCard:
    """`missing` names what it lacks for readiness; `stale_rules` were reworded since the story cited them;
    `gone_modules` are those of `modules` that the current map does not have."""

    id: UUID
    code: str
    epic: str
    session_id: UUID
    content: StoryContent
    status: StoryStatus
    is_proposed: bool
    version: int
    missing: tuple[str, ...]
    stale_rules: tuple[str, ...]
    returned_reason: str
    returned_at: datetime | None
    tasks: tuple[TaskCard, ...]
    modules: tuple[str, ...] = ()
    gone_modules: tuple[str, ...] = ()
    tasks_version: int = 1
    iteration: str = ""
    feature: str = ""


@dataclass(frozen=True)
class FeatureCard:
    id: UUID
    code: str
    title: str
    description: str
    acceptance_criteria: tuple[str, ...]
    test_scenarios: tuple[str, ...]


@dataclass(frozen=True)
class EpicCard:
    """A story may belong to one of the `features`, by code."""

    id: UUID
    code: str
    title: str
    description: str
    session_id: UUID
    stories: tuple[StoryCard, ...]
    features: tuple[FeatureCard, ...] = ()


@dataclass(frozen=True)
class Coverage:
    """Both ways, computed: rules that no story cites, and stories that cite no rule (RN-011)."""

    rules_without_story: tuple[RuleCard, ...]
    stories_without_rule: tuple[StoryCard, ...]
    rules_total: int
    stories_total: int


@dataclass(frozen=True)
class QuoteCard:
    """A span of a message as it stands in the log now; `is_intact`: its hash is still that of the text.

    `before` and `after` are what stands around it in the message.
    """

    event_id: UUID
    session_id: UUID
    seq: int
    start: int
    end: int
    sha256: str
    text: str
    before: str
    after: str
    is_intact: bool


@dataclass(frozen=True)
class RulePage:
    """A rule with all its wordings (the oldest first), what it rests on, and what rests on it."""

    rule: RuleCard
    merged_into: str
    wordings: tuple[LogEvent, ...]
    quotes: tuple[QuoteCard, ...]
    stories: tuple[StoryCard, ...]


class Looker(StrEnum):
    """Who looks at a story whose rules were reworded."""

    PRODUCT_OWNER = "product_owner"
    PERSON = "person"
    DEV_LEAD = "dev_lead"


@dataclass(frozen=True)
class ToLookAt:
    """A story with its tasks, who looks at it, and the rules that were reworded since it cited them."""

    story: StoryCard
    looker: Looker
    rules: tuple[RuleCard, ...]


@dataclass(frozen=True)
class SavedCard:
    id: UUID
    name: str
    query: dict[str, str]
