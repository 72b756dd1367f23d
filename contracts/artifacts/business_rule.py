"""A business rule: an observable behaviour that is wanted, with the messages that it came from."""

from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field, StringConstraints

from contracts.base import Message, Seq
from contracts.codes import RuleCode
from contracts.limits import MAX_ARTIFACT_TEXT_CHARS, MAX_QUOTES, MAX_TITLE_CHARS


class CitedRule(Message):
    """Where the project's rule of this title was recorded first."""

    event_id: UUID
    session_id: UUID
    seq: Seq


class Quote(Message):
    """A span of a person's message: code points from `start` up to `end`, and the SHA-256 of that text in UTF-8."""

    event_id: UUID
    seq: Seq
    start: Annotated[int, Field(ge=0, le=2**31 - 1)]
    end: Annotated[int, Field(ge=1, le=2**31 - 1)]
    sha256: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]


class Quoted(Message):
    """What an emitter quotes: the text, word for word, and the seq of the message in which it stands."""

    message: Seq
    text: Annotated[str, Field(min_length=1, max_length=MAX_ARTIFACT_TEXT_CHARS)]


class BusinessRule(Message):
    """`origin` lists the seq of the person's messages that the rule came from, never empty (RN-061).

    The server sets `cites` (the project had the rule from another session, and its words are repeated here), `code`,
    `quotes` (what of the messages says it; older events have none) and `supersedes` (the event of the wording before).
    """

    type: Literal["artifact.business_rule"] = "artifact.business_rule"
    title: Annotated[str, Field(min_length=1, max_length=MAX_TITLE_CHARS)]
    description: Annotated[str, Field(min_length=1, max_length=MAX_ARTIFACT_TEXT_CHARS)]
    origin: Annotated[tuple[Seq, ...], Field(min_length=1, max_length=100)]
    cites: CitedRule | None = None
    code: RuleCode | None = None
    """How people and agents name the rule in the whole project. Older events have none."""
    quotes: Annotated[tuple[Quote, ...], Field(max_length=MAX_QUOTES)] = ()
    supersedes: UUID | None = None
