"""What a provider says of its models and of a key; whatever it leaves out is None, and what was known stays."""

from dataclasses import dataclass
from enum import StrEnum

from api.rooms.budgets.domain.metering import Rates
from contracts.failures import ErrorCode


@dataclass(frozen=True)
class ListedModel:
    """One model as its provider lists it; `rates` are micros per million tokens."""

    name: str
    display_name: str = ""
    context_tokens: int | None = None
    max_output_tokens: int | None = None
    has_tools: bool | None = None
    has_vision: bool | None = None
    has_reasoning: bool | None = None
    rates: Rates | None = None


class KeyVerdict(StrEnum):
    """The three answers of a key test."""

    ACCEPTED = "accepted"
    REFUSED = "refused"
    UNSUPPORTED = "unsupported"


@dataclass(frozen=True)
class KeyAnswer:
    """`code` says why a key was refused, its origin included: a provider that cannot be reached is not a wrong key."""

    verdict: KeyVerdict
    code: ErrorCode | None = None
    diagnosis: str = ""


@dataclass(frozen=True)
class Capabilities:
    """The ceiling of a provider; each model may have less."""

    streams: bool = True
    has_tools: bool = True
    lists_models: bool = True
    checks_keys: bool = True
