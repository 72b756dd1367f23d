"""How a backlog came to be what it is."""

from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from contracts.backlog import Lines, Rules, Text, Title
from contracts.base import Message
from contracts.codes import EpicCode, FeatureCode, RuleCode, StoryCode, TaskCode
from contracts.limits import MAX_REASON_CHARS
from contracts.vocabulary import StoryStatus

Version = Annotated[int, Field(ge=1, le=2**31 - 1)]


class Named(Message):
    """Something of a backlog, by the code that people say and the title that they read."""

    code: str
    title: Title


class RulesMerged(Message):
    """A person made two rules one (D-49): what cited `merged` cites `kept` now, and has to be looked at."""

    type: Literal["backlog.rules_merged"] = "backlog.rules_merged"
    kept: Named
    merged: Named
    stories: tuple[StoryCode, ...] = ()


class RuleResembles(Message):
    """Titles of rules that are much alike (D-49): a person decides whether they are one. `likeness` is in percent."""

    type: Literal["backlog.rule_resembles"] = "backlog.rule_resembles"
    code: RuleCode
    title: Title
    resembles: Annotated[tuple[Named, ...], Field(min_length=1)]
    likeness: Annotated[int, Field(ge=0, le=100)]


class EpicCreated(Message):
    type: Literal["backlog.epic_created"] = "backlog.epic_created"
    epic_id: UUID
    code: EpicCode
    title: Title


class FeatureCreated(Message):
    """A part of an epic that stories build together."""

    type: Literal["backlog.feature_created"] = "backlog.feature_created"
    feature_id: UUID
    code: FeatureCode
    title: Title


class StoryCreated(Message):
    type: Literal["backlog.story_created"] = "backlog.story_created"
    story_id: UUID
    code: StoryCode
    epic: EpicCode
    feature: FeatureCode | None = None
    title: Title
    status: StoryStatus
    rules: Rules


class StoryOverlapWarned(Message):
    """All rules of the story are covered by another one already; it was created all the same (RN-081)."""

    type: Literal["backlog.story_overlap_warned"] = "backlog.story_overlap_warned"
    story_id: UUID
    code: StoryCode
    title: Title
    overlaps: Named
    rules: Rules


class StoryResembles(Message):
    """Titles that are much alike (D-49): a person decides whether they are one. `likeness` is in percent."""

    type: Literal["backlog.story_resembles"] = "backlog.story_resembles"
    story_id: UUID
    code: StoryCode
    title: Title
    resembles: Annotated[tuple[Named, ...], Field(min_length=1)]
    likeness: Annotated[int, Field(ge=0, le=100)]


class StoryPromotionProposed(Message):
    """The story is complete and waits for a person (RN-048)."""

    type: Literal["backlog.story_promotion_proposed"] = "backlog.story_promotion_proposed"
    story_id: UUID
    code: StoryCode
    epic: EpicCode
    title: Title


class StoryPromotionReturned(Message):
    """A person gave the story back; the Product Owner is woken by it, and it takes precedence (RN-048)."""

    type: Literal["backlog.story_promotion_returned"] = "backlog.story_promotion_returned"
    story_id: UUID
    code: StoryCode
    title: Title
    reason: Annotated[str, Field(min_length=1, max_length=MAX_REASON_CHARS)]


class StoryTransitioned(Message):
    type: Literal["backlog.story_transitioned"] = "backlog.story_transitioned"
    story_id: UUID
    code: StoryCode
    title: Title
    from_status: StoryStatus
    to_status: StoryStatus
    reason: Annotated[str, Field(max_length=MAX_REASON_CHARS)] = ""


class TextChange(Message):
    """One field before and after; a list of lines, or one line for a text."""

    field: str
    before: tuple[str, ...]
    after: tuple[str, ...]


class StoryEdited(Message):
    type: Literal["backlog.story_edited"] = "backlog.story_edited"
    story_id: UUID
    code: StoryCode
    title: Title
    version: Version
    changes: Annotated[tuple[TextChange, ...], Field(min_length=1)]


class StoryReviewed(Message):
    """Somebody looked at a story whose rules were reworded: it says what they say now."""

    type: Literal["backlog.story_reviewed"] = "backlog.story_reviewed"
    story_id: UUID
    code: StoryCode
    title: Title
    rules: Annotated[Rules, Field(min_length=1)]


class TaskCreated(Message):
    type: Literal["backlog.task_created"] = "backlog.task_created"
    task_id: UUID
    code: TaskCode
    story: StoryCode
    title: Title
    description: Text = ""


class EpicWithoutStory(Message):
    """Charged once, when the turn that created them ends (RN-165): the model's, and the turn is over."""

    type: Literal["backlog.epic_without_story"] = "backlog.epic_without_story"
    turn_id: UUID
    epics: Annotated[tuple[Named, ...], Field(min_length=1)]


__all__ = [
    "EpicCreated",
    "EpicWithoutStory",
    "FeatureCreated",
    "Lines",
    "Named",
    "RuleResembles",
    "RulesMerged",
    "StoryCreated",
    "StoryEdited",
    "StoryOverlapWarned",
    "StoryPromotionProposed",
    "StoryPromotionReturned",
    "StoryResembles",
    "StoryReviewed",
    "StoryTransitioned",
    "TaskCreated",
    "TextChange",
]
