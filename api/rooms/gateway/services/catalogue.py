"""Models and their prices: set by hand, else from the price table that ships with us, else unpriced."""

from dataclasses import dataclass
from datetime import datetime
from decimal import ROUND_CEILING, Decimal
from functools import lru_cache
from uuid import UUID

from django.conf import settings
from django.db import transaction
from genai_prices import data_snapshot
from genai_prices.types import ModelInfo, TieredPrices

from api.rooms.budgets.domain.metering import Rates
from api.rooms.gateway.domain import base_urls
from api.rooms.gateway.domain.prices import FREE, MILLION, Price, Tier, flat
from api.rooms.gateway.models import Model, PriceChange
from api.rooms.gateway.providers import PROVIDERS
from api.rooms.kernel.clock import now
from api.rooms.kernel.refusals import Refusal, not_found
from contracts.problem import ProblemCode

DEFAULT_CONTEXT_TOKENS = 32_768
OPENAI_URL = "https://api.openai.com/v1"


@dataclass(frozen=True)
class ModelSpec:
    """A model as a person names it."""

    provider: str
    name: str
    base_url: str = ""
    context_tokens: int | None = None
    has_tools: bool = True


def clean_base_url(provider: str, url: str) -> str:
    """The address as it is stored; refused when it may not be called."""
    if provider not in PROVIDERS:
        raise Refusal(ProblemCode.INVALID_PARAMETER, f"There is no provider {provider}.", {"field": "provider"})
    if PROVIDERS[provider].is_rehearsal:
        return ""
    checked = base_urls.check(url or OPENAI_URL, allow_private=settings.MUTIRAO_ALLOW_PRIVATE_BASE_URLS)
    if isinstance(checked, base_urls.Refused):
        raise Refusal(ProblemCode.INVALID_PARAMETER, f"Base URL: {checked.reason}.", {"field": "base_url"})
    return checked.text


def may_call(provider: str, base_url: str) -> bool:
    """Asked again before each call: the operator may have taken private addresses back since the address was stored."""
    checked = base_urls.check(base_url, allow_private=settings.MUTIRAO_ALLOW_PRIVATE_BASE_URLS)
    return PROVIDERS[provider].is_rehearsal or isinstance(checked, base_urls.BaseUrl)


def add_model(workspace_id: UUID, spec: ModelSpec) -> UUID:
    """The catalogue's row for this model, made or brought up to date."""
    base_url = clean_base_url(spec.provider, spec.base_url)
    known = _table_entry(spec.provider, base_url, spec.name)
    context = spec.context_tokens or (known.context_window if known else None) or DEFAULT_CONTEXT_TOKENS
    row, _ = Model.objects.update_or_create(
        workspace_id=workspace_id,
        provider=spec.provider,
        base_url=base_url,
        name=spec.name,
        defaults={"context_tokens": context, "has_tools": spec.has_tools, "is_retired": False},
    )
    return row.id


@transaction.atomic
def set_price(workspace_id: UUID, model_id: UUID, rates: Rates) -> None:
    """Micros per million tokens, from the next call on. Nothing at all is a price only for a private address."""
    row = Model.objects.select_for_update().filter(id=model_id, workspace_id=workspace_id).first()
    if row is None:
        raise not_found("model")
    figures = (rates.input, rates.cache_read, rates.cache_write, rates.output)
    if min(figures) < 0 or (not any(figures) and not _may_be_free(row)):
        raise Refusal(
            ProblemCode.INVALID_PARAMETER,
            "A price is not negative, and only a model on a private address may cost nothing.",
            {"field": "rates"},
        )
    columns = dict(zip(("input_rate", "cache_read_rate", "cache_write_rate", "output_rate"), figures, strict=True))
    Model.objects.filter(id=model_id).update(**columns)
    PriceChange.objects.create(model_id=model_id, **columns)


def _may_be_free(row: Model) -> bool:
    return base_urls.is_private(row.base_url)


def price_of(row: Model) -> Price | None:
    """The price of this moment; None when nobody knows it."""
    if PROVIDERS[row.provider].is_rehearsal:
        return FREE
    if row.input_rate is not None and row.output_rate is not None:
        return flat(
            Rates(
                row.input_rate,
                row.input_rate if row.cache_read_rate is None else row.cache_read_rate,
                row.input_rate if row.cache_write_rate is None else row.cache_write_rate,
                row.output_rate,
            )
        )
    known = _table_entry(row.provider, row.base_url, row.name)
    return _from_table(known, now()) if known else None


def _table_entry(provider: str, base_url: str, name: str) -> ModelInfo | None:
    """By the address that is called: a model of the same name elsewhere has another price, or none."""
    return None if PROVIDERS[provider].is_rehearsal else _table_lookup(base_url, name)


@lru_cache(maxsize=512)
def _table_lookup(base_url: str, name: str) -> ModelInfo | None:
    try:
        return data_snapshot.get_snapshot().find_provider_model(name, None, None, base_url)[1]
    except LookupError:
        return None


def _from_table(known: ModelInfo, at: datetime) -> Price | None:
    prices = known.get_prices(at)
    columns = {name: getattr(prices, f"{name}_mtok", None) for name in ("input", "cache_read", "cache_write", "output")}
    if columns["input"] is None or columns["output"] is None:
        return None
    starts = {0} | {tier.start for value in columns.values() if isinstance(value, TieredPrices) for tier in value.tiers}
    return Price(tuple(Tier(start, _rates(columns, start)) for start in sorted(starts)))


def _rates(columns: dict[str, Decimal | TieredPrices | None], above: int) -> Rates:
    figures = {name: _figure(value, above) for name, value in columns.items()}
    whole = figures["input"] or 0
    return Rates(
        input=whole,
        cache_read=whole if figures["cache_read"] is None else figures["cache_read"],
        cache_write=whole if figures["cache_write"] is None else figures["cache_write"],
        output=figures["output"] or 0,
    )


def _figure(value: Decimal | TieredPrices | None, above: int) -> int | None:
    if value is None:
        return None
    if isinstance(value, TieredPrices):
        reached = [tier.price for tier in value.tiers if tier.start <= above]
        value = reached[-1] if reached else value.base
    return int((value * MILLION).to_integral_value(ROUND_CEILING))
