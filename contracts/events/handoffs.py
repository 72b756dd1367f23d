"""Readiness, and work that passes from one agent to the next."""

from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from contracts.base import Message, Slug
from contracts.codes import EpicCode
from contracts.limits import MAX_REASON_CHARS


class ReadinessConfirmed(Message):
    """A person said "I'm ready to produce"; written whatever follows."""

    type: Literal["readiness.confirmed"] = "readiness.confirmed"


class HandoffOffered(Message):
    type: Literal["handoff.offered"] = "handoff.offered"
    handoff_id: UUID
    from_agent: Slug
    to_agent: Slug
    artifact_event_id: UUID | None = None


class HandoffAccepted(Message):
    type: Literal["handoff.accepted"] = "handoff.accepted"
    handoff_id: UUID
    to_agent: Slug


class HandoffStarted(Message):
    """The receiver is active and begins: it is woken by this, at the acceptance or when it arrives later.

    `epic` is what its conversation is about, where a person said so.
    """

    type: Literal["handoff.started"] = "handoff.started"
    handoff_id: UUID
    from_agent: Slug
    to_agent: Slug
    artifact_event_id: UUID | None = None
    epic: EpicCode | None = None


class HandoffRejected(Message):
    """`superseded` marks an offer that a newer brief replaced; nobody is woken by it."""

    type: Literal["handoff.rejected"] = "handoff.rejected"
    handoff_id: UUID
    to_agent: Slug
    reason: Annotated[str, Field(max_length=MAX_REASON_CHARS)]
    superseded: bool = False


class HandoffCompleted(Message):
    type: Literal["handoff.completed"] = "handoff.completed"
    handoff_id: UUID
