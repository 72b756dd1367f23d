"""A business rule: an observable behaviour that is wanted, with the messages that it came from."""

from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from contracts.base import Message, Seq
from contracts.codes import RuleCode
from contracts.limits import MAX_ARTIFACT_TEXT_CHARS, MAX_TITLE_CHARS


class CitedRule(Message):
    """Where the project's rule of this title was recorded first."""

    event_id: UUID
    session_id: UUID
    seq: Seq


class BusinessRule(Message):
    """`origin` lists the seq of the person's messages that the rule came from, never empty (RN-061).

    `cites` is the server's to set: the project had the rule from another session, and its words are repeated here.
    """

    type: Literal["artifact.business_rule"] = "artifact.business_rule"
    title: Annotated[str, Field(min_length=1, max_length=MAX_TITLE_CHARS)]
    description: Annotated[str, Field(min_length=1, max_length=MAX_ARTIFACT_TEXT_CHARS)]
    origin: Annotated[tuple[Seq, ...], Field(min_length=1, max_length=100)]
    cites: CitedRule | None = None
    code: RuleCode | None = None
    """The server's to set: how people and agents name the rule in the whole project. Older events have none."""
