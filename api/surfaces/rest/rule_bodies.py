"""The public bodies of business rules: what they rest on, what rests on them, and how they change."""

from typing import Annotated
from uuid import UUID

from pydantic import Field

from api.rooms.backlog.cards import Looker
from api.rooms.backlog.tracing import Hop
from api.surfaces.rest.backlog_bodies import RuleBody, StoryBody
from contracts.base import Message, Seq
from contracts.codes import RuleCode
from contracts.events import LogEvent
from contracts.events.backlog import Version
from contracts.limits import MAX_ARTIFACT_TEXT_CHARS, MAX_LINES, MAX_TITLE_CHARS


class QuoteBody(Message):
    """What somebody said: code points `start` to `end` of the message; `is_intact`: the text still has this hash."""

    event_id: UUID
    session_id: UUID
    seq: Seq
    start: int
    end: int
    sha256: str
    text: str
    before: str
    after: str
    is_intact: bool


class RulePageBody(Message):
    """`merged_into` is a code, or empty; `wordings` begin with the oldest."""

    rule: RuleBody
    merged_into: str
    wordings: tuple[LogEvent, ...]
    quotes: tuple[QuoteBody, ...]
    stories: tuple[StoryBody, ...]


class RuleEdit(Message):
    """`version` is the one that you read: 409 `stale_version` when the rule has another by now."""

    version: Version
    title: Annotated[str, Field(min_length=1, max_length=MAX_TITLE_CHARS)]
    description: Annotated[str, Field(min_length=1, max_length=MAX_ARTIFACT_TEXT_CHARS)]


class RuleMerge(Message):
    """`into` is the rule that stays."""

    into: RuleCode


class RuleSeen(Message):
    """`version` is the one that you read."""

    code: RuleCode
    version: Version


class Looked(Message):
    """The rules that you looked at: 409 `stale_version` when one of them was reworded again."""

    rules: Annotated[tuple[RuleSeen, ...], Field(min_length=1, max_length=MAX_LINES)]


class ToLookAtBody(Message):
    """A story whose rules were reworded, who has it in hand, and these rules."""

    story: StoryBody
    looker: Looker
    rules: tuple[RuleBody, ...]


class ImpactBody(Message):
    stories: tuple[ToLookAtBody, ...]


class MissingBody(Message):
    """After `code` no `hop` follows, and `why`."""

    code: str
    hop: Hop
    why: str


class TraceBody(Message):
    asked: str
    rules: tuple[RulePageBody, ...]
    stories: tuple[StoryBody, ...]
    missing: tuple[MissingBody, ...]
