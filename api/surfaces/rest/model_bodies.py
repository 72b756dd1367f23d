"""Models of a workspace in the words of the public API."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import Field

from api.rooms.budgets.domain.metering import Rates
from api.rooms.gateway import catalogue
from api.rooms.gateway.domain.uses import ModelUse
from api.rooms.gateway.services.curation import Change, Fallback, Price, Switch, Uses
from contracts.base import Message, Micros


class RatesBody(Message):
    """Micros of a dollar for a million tokens."""

    input_micros: Micros
    cache_read_micros: Micros
    cache_write_micros: Micros
    output_micros: Micros


class CatalogueModel(Message):
    """`price_source` is manual, sync, table or empty; a facet that is null was never told; `uses`: RN-057."""

    id: UUID
    provider: str
    base_url: str
    name: str
    display_name: str
    context_tokens: int
    max_output_tokens: int | None
    has_tools: bool
    has_vision: bool | None
    has_reasoning: bool | None
    uses: tuple[ModelUse, ...]
    is_active: bool
    is_retired: bool
    price: RatesBody | None
    price_source: str
    fallback_id: UUID | None
    last_seen_at: datetime | None


class Catalogue(Message):
    models: tuple[CatalogueModel, ...]


class ModelChange(Message):
    """Only what is given is changed. `price` null: what the provider or the price table says counts again.

    `uses` replaces what was marked and switches nothing on or off (RN-057).
    """

    is_active: bool | None = None
    uses: Annotated[tuple[ModelUse, ...], Field(max_length=len(ModelUse))] | None = None
    fallback_id: UUID | None = None
    price: RatesBody | None = None


class PriceChangeBody(Message):
    """Null: the price table was asked."""

    at: datetime
    source: str
    changed_by: UUID | None
    before: RatesBody | None
    after: RatesBody | None


class PriceHistory(Message):
    changes: tuple[PriceChangeBody, ...]


def changes_of(asked: ModelChange) -> tuple[Change, ...]:
    """What a body asks for, in the order in which it is done; a null switch or null uses ask for nothing."""
    given = asked.model_fields_set
    found: list[Change] = []
    if asked.is_active is not None:
        found.append(Switch(asked.is_active))
    if asked.uses is not None:
        found.append(Uses(asked.uses))
    if "fallback_id" in given:
        found.append(Fallback(asked.fallback_id))
    if "price" in given:
        found.append(Price(rates_of(asked.price) if asked.price else None))
    return tuple(found)


def model_body(card: catalogue.ModelCard) -> CatalogueModel:
    """Field by field the same, but for the name of the price."""
    same = {name: getattr(card, name) for name in CatalogueModel.model_fields if name != "price"}
    return CatalogueModel(price=price_body(card.rates), **same)


def price_change_body(made: catalogue.Change) -> PriceChangeBody:
    return PriceChangeBody(
        at=made.at,
        source=made.source,
        changed_by=made.changed_by,
        before=price_body(made.before),
        after=price_body(made.after),
    )


def price_body(rates: Rates | None) -> RatesBody | None:
    if rates is None:
        return None
    return RatesBody(
        input_micros=rates.input,
        cache_read_micros=rates.cache_read,
        cache_write_micros=rates.cache_write,
        output_micros=rates.output,
    )


def rates_of(price: RatesBody) -> Rates:
    return Rates(price.input_micros, price.cache_read_micros, price.cache_write_micros, price.output_micros)
