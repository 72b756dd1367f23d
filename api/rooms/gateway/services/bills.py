"""What a try comes to: the frame that says so, and the figures of its meter."""

from api.rooms.budgets.domain.metering import Metering
from api.rooms.gateway.domain import prices
from api.rooms.gateway.domain.endings import Ending
from api.rooms.gateway.providers import PROVIDERS
from api.rooms.gateway.services.opened import Opened
from contracts.money import Bill
from contracts.routes.model import Final


def final_of(opened: Opened, ending: Ending) -> Final:
    """The frame that the engine gets, and that is kept for its key."""
    return Final(
        attempt=opened.attempt,
        message=ending.message,
        finish=ending.finish,
        bill=Bill(
            usage=ending.usage,
            cost_micros=cost_of(opened, ending),
            provider=opened.provider,
            model=opened.target.model,
            is_rehearsal=PROVIDERS[opened.provider].is_rehearsal,
        ),
        error=ending.error,
        is_repeated=opened.is_repeated,
    )


def cost_of(opened: Opened, ending: Ending) -> int | None:
    """Micros; null when nobody knows the price."""
    return None if opened.price is None else prices.cost(opened.price, ending.usage)


def metering_of(opened: Opened, ending: Ending) -> Metering:
    """The row of token usage."""
    used = ending.usage
    tokens_in = used.uncached_input + used.cache_read + used.cache_write
    return Metering(
        usage=used,
        cost_micros=cost_of(opened, ending),
        rates=opened.price.rates_for(tokens_in) if opened.price else None,
        provider=opened.provider,
        model=opened.target.model,
        agent=opened.agent,
        turn_id=opened.call.turn_id,
        outcome=ending.outcome,
        is_rehearsal=PROVIDERS[opened.provider].is_rehearsal,
        error_code=ending.error.code.value if ending.error else "",
        binding_origin=opened.binding_origin,
        upstream=ending.upstream,
        latency_ms=ending.latency_ms,
        first_token_ms=ending.first_token_ms,
    )
