"""What is written down about a call when it is settled."""

from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from contracts.money import Usage


class Outcome(StrEnum):
    """How the call went, for reading the meter by; a code of failure stands beside it."""

    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"
    LOST = "lost"


@dataclass(frozen=True)
class Rates:
    """Micros per million tokens, frozen when the call began."""

    input: int
    cache_read: int
    cache_write: int
    output: int


@dataclass(frozen=True)
class HoldKey:
    """One try of one model call."""

    instance_id: UUID
    step: int
    call: int
    attempt: int


@dataclass(frozen=True)
class Metering:
    """A call's usage and price. `cost_micros` is null when the price is unknown, 0 when it is nothing."""

    usage: Usage
    cost_micros: int | None
    rates: Rates | None
    provider: str
    model: str
    agent: str
    turn_id: UUID
    outcome: Outcome
    is_rehearsal: bool = False
    error_code: str = ""
    binding_origin: str = ""
    upstream: str = ""
    latency_ms: int | None = None
    first_token_ms: int | None = None
