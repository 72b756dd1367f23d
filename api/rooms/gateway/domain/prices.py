"""What a call may cost at worst and what it did cost, in whole micros of a dollar."""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass

from api.rooms.budgets.domain.metering import Rates
from contracts.money import Usage

MILLION = 1_000_000


@dataclass(frozen=True)
class Tier:
    """`rates` hold for the whole call once its input has more than `above` tokens."""

    above: int
    rates: Rates


@dataclass(frozen=True)
class Price:
    """Tiers by size of the input, smallest first; the first begins at nothing."""

    tiers: tuple[Tier, ...]

    def rates_for(self, input_tokens: int) -> Rates:
        reached = [tier.rates for tier in self.tiers if input_tokens > tier.above]
        return reached[-1] if reached else self.tiers[0].rates

    @property
    def is_free(self) -> bool:
        return all(not any(asdict(tier.rates).values()) for tier in self.tiers)

    def dump(self) -> str:
        return json.dumps(asdict(self))


def flat(rates: Rates) -> Price:
    return Price((Tier(0, rates),))


FREE = flat(Rates(0, 0, 0, 0))


def load(text: str) -> Price:
    """The inverse of `dump`: a price is frozen on the call as text."""
    return Price(tuple(Tier(tier["above"], Rates(**tier["rates"])) for tier in json.loads(text)["tiers"]))


def _round_up(parts: Iterable[tuple[int, int]]) -> int:
    return -(-sum(tokens * rate for tokens, rate in parts) // MILLION)


def cost(price: Price, usage: Usage) -> int:
    """Micros, rounded up once for the whole call."""
    rates = price.rates_for(usage.uncached_input + usage.cache_read + usage.cache_write)
    return _round_up(
        (
            (usage.uncached_input, rates.input),
            (usage.cache_read, rates.cache_read),
            (usage.cache_write, rates.cache_write),
            (usage.output, rates.output),
        )
    )


def worst_case(price: Price, input_bound: int, max_output_tokens: int) -> int:
    """Micros to hold: the dearest input rate of any tier that may be reached, and every token that may come out."""
    reachable = [price.rates_for(0), *(tier.rates for tier in price.tiers if input_bound > tier.above)]
    dearest = max(max(rates.input, rates.cache_read, rates.cache_write) for rates in reachable)
    return _round_up(((input_bound, dearest), (max_output_tokens, max(rates.output for rates in reachable))))
