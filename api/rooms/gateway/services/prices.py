"""What a model costs: set by hand, else as its provider lists it, else from the price table that ships with us."""

from datetime import datetime
from decimal import ROUND_CEILING, Decimal
from functools import lru_cache
from uuid import UUID

from django.db import transaction
from genai_prices import data_snapshot
from genai_prices.types import ModelInfo, TieredPrices

from api.rooms.budgets.domain.metering import Rates
from api.rooms.gateway.domain import base_urls
from api.rooms.gateway.domain.listing import is_plausible
from api.rooms.gateway.domain.prices import FREE, MILLION, Price, Tier, flat
from api.rooms.gateway.models import Model, PriceChange, PriceSource
from api.rooms.gateway.providers import PROVIDERS
from api.rooms.kernel.clock import now
from api.rooms.kernel.refusals import Refusal, not_found
from contracts.problem import ProblemCode

COLUMNS = ("input_rate", "cache_read_rate", "cache_write_rate", "output_rate")


@transaction.atomic
def set_price(workspace_id: UUID, model_id: UUID, rates: Rates, changed_by: UUID | None = None) -> None:
    """Micros per million tokens, from the next call on; a sync respects it (RN-044).

    Nothing at all is a price only for a private address.
    """
    row = _locked(workspace_id, model_id)
    is_free = not any((rates.input, rates.cache_read, rates.cache_write, rates.output))
    if not is_plausible(rates) or (is_free and not base_urls.is_private(row.base_url)):
        raise Refusal(
            ProblemCode.INVALID_PARAMETER,
            "A price is not negative and not beyond a dollar a token; only a private address may cost nothing.",
            {"field": "rates"},
        )
    change_price(row, rates, PriceSource.MANUAL, changed_by)


@transaction.atomic
def forget_price(workspace_id: UUID, model_id: UUID, changed_by: UUID | None = None) -> None:
    """The provider's list counts again, and the price table until it says something."""
    change_price(_locked(workspace_id, model_id), None, None, changed_by)


def _locked(workspace_id: UUID, model_id: UUID) -> Model:
    row = Model.objects.select_for_update().filter(id=model_id, workspace_id=workspace_id).first()
    if row is None:
        raise not_found("model")
    return row


def change_price(row: Model, rates: Rates | None, source: PriceSource | None, changed_by: UUID | None = None) -> None:
    """On a locked row; the change is a row of its own in the same transaction, and the same price is no change."""
    figures = (None,) * 4 if rates is None else (rates.input, rates.cache_read, rates.cache_write, rates.output)
    before = tuple(getattr(row, column) for column in COLUMNS)
    after = dict(zip(COLUMNS, figures, strict=True))
    Model.objects.filter(id=row.id).update(**after, price_source=source.value if source else "")
    if before != figures:
        PriceChange.objects.create(
            model_id=row.id,
            source=source or PriceSource.MANUAL,
            changed_by=changed_by,
            **{f"{column}_before": value for column, value in zip(COLUMNS, before, strict=True)},
            **after,
        )


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
    known = table_entry(row.provider, row.base_url, row.name)
    return _from_table(known, now()) if known else None


def table_entry(provider: str, base_url: str, name: str) -> ModelInfo | None:
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
