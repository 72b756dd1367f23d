"""What became of the actions that agents proposed."""

from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from contracts.actions import ActionType, Hash
from contracts.backlog import Title
from contracts.base import Message
from contracts.limits import MAX_REASON_CHARS


class ActionProposed(Message):
    """It waits for a person; what they decide on is named by its hash."""

    type: Literal["proposed_action.created"] = "proposed_action.created"
    action_id: UUID
    action_type: ActionType
    title: Title
    content_sha256: Hash


class ActionApproved(Message):
    """The agent that proposed it reads this in its inbox."""

    type: Literal["proposed_action.approved"] = "proposed_action.approved"
    action_id: UUID
    action_type: ActionType
    title: Title
    content_sha256: Hash


class ActionDenied(Message):
    """The same, with why not."""

    type: Literal["proposed_action.denied"] = "proposed_action.denied"
    action_id: UUID
    action_type: ActionType
    title: Title
    reason: Annotated[str, Field(min_length=1, max_length=MAX_REASON_CHARS)]
