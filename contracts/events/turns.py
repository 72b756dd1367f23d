"""The life of a turn."""

from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from contracts.base import Message, Micros, Seq
from contracts.failures import ErrorCode
from contracts.money import Usage
from contracts.vocabulary import TurnStatus


class TurnStarted(Message):
    """`taken` are the seqs of the inbox that this turn answers, in order."""

    type: Literal["turn.started"] = "turn.started"
    turn_id: UUID
    number: Annotated[int, Field(ge=1)]
    taken: tuple[Seq, ...]


class TurnEnded(Message):
    """`reason` is null exactly when the turn completed."""

    type: Literal["turn.ended"] = "turn.ended"
    turn_id: UUID
    status: TurnStatus
    reason: ErrorCode | None = None


class TurnStopReceipt(Message):
    """What a Stop ended. `calls_after` counts model calls that began after it: it must be 0."""

    type: Literal["turn.stop_receipt"] = "turn.stop_receipt"
    turn_id: UUID
    close_ms: Annotated[int, Field(ge=0)]
    processes_killed: Annotated[int, Field(ge=0)] = 0
    usage: Usage
    cost_micros: Micros | None
    calls_after: Annotated[int, Field(ge=0)] = 0


class TurnContinued(Message):
    """A person asked an agent that was stopped or interrupted to go on."""

    type: Literal["turn.continued"] = "turn.continued"
    after_turn_id: UUID | None = None
