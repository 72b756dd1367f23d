"""What a provider says of its models and of a key; whatever it leaves out is None, and what was known stays."""

from dataclasses import dataclass, replace
from enum import StrEnum

from api.rooms.budgets.domain.metering import Rates
from api.rooms.gateway.domain.characters import mend
from contracts.failures import ErrorCode

MAX_NAME_CHARS = 200
MAX_TOKENS = 2**31 - 1
MAX_RATE = 10**12
"""Micros per million tokens: a dollar for each token is beyond any price."""


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


def plausible(model: ListedModel) -> ListedModel | None:
    """A stranger's words as far as they can be true and stored; null when there is no name left."""
    name = mend(model.name)
    if not 0 < len(name) <= MAX_NAME_CHARS:
        return None
    rates = model.rates if model.rates and is_plausible(model.rates) else None
    return replace(
        model,
        name=name,
        display_name=mend(model.display_name)[:MAX_NAME_CHARS],
        context_tokens=_tokens(model.context_tokens),
        max_output_tokens=_tokens(model.max_output_tokens),
        rates=rates,
    )


def is_plausible(rates: Rates) -> bool:
    """Whether these can be prices."""
    figures = (rates.input, rates.cache_read, rates.cache_write, rates.output)
    return min(figures) >= 0 and max(figures) <= MAX_RATE


def _tokens(number: int | None) -> int | None:
    return number if number is not None and 0 < number <= MAX_TOKENS else None


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
