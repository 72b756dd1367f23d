"""Reading the catalogue for people: models with their facets and prices, and how their lists were read."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from api.rooms.budgets.domain.metering import Rates
from api.rooms.gateway.domain.uses import ModelUse
from api.rooms.gateway.models import CatalogueSync, Model, PriceChange
from api.rooms.gateway.services.prices import COLUMNS, price_of

TABLE = "table"
MAX_MODELS = 2_000
MAX_CHANGES = 50


@dataclass(frozen=True)
class ModelCard:
    """A model of a workspace. `rates` are micros per million tokens, null when nobody knows the price.

    `price_source` is manual, sync, table, or empty; a facet that is null was never told; `uses` is what the workspace
    marked it for (RN-057).
    """

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
    rates: Rates | None
    price_source: str
    fallback_id: UUID | None
    last_seen_at: datetime | None


@dataclass(frozen=True)
class Change:
    """A change of a price; null rates: the price table was asked."""

    at: datetime
    source: str
    changed_by: UUID | None
    before: Rates | None
    after: Rates | None


@dataclass(frozen=True)
class SyncState:
    """How the last reading of an address went; `error_code` is empty when it went well."""

    provider: str
    base_url: str
    tried_at: datetime
    succeeded_at: datetime | None
    listed: int
    error_code: str
    diagnosis: str


def models_of(workspace_id: UUID) -> tuple[ModelCard, ...]:
    """By address and name, those in use first."""
    rows = Model.objects.filter(workspace_id=workspace_id).order_by("-is_active", "provider", "base_url", "name")
    return tuple(card_of_model(row) for row in rows[:MAX_MODELS])


def card_of_model(row: Model) -> ModelCard:
    """With the price of this moment."""
    price = price_of(row)
    return ModelCard(
        id=row.id,
        provider=row.provider,
        base_url=row.base_url,
        name=row.name,
        display_name=row.display_name,
        context_tokens=row.context_tokens,
        max_output_tokens=row.max_output_tokens,
        has_tools=row.has_tools,
        has_vision=row.has_vision,
        has_reasoning=row.has_reasoning,
        uses=tuple(map(ModelUse, row.uses)),
        is_active=row.is_active,
        is_retired=row.is_retired,
        rates=price.rates_for(0) if price else None,
        price_source=row.price_source or (TABLE if price else ""),
        fallback_id=row.fallback_id,
        last_seen_at=row.last_seen_at,
    )


def model_of(workspace_id: UUID, model_id: UUID) -> ModelCard | None:
    """Null when the workspace has no such model."""
    row = Model.objects.filter(id=model_id, workspace_id=workspace_id).first()
    return card_of_model(row) if row else None


def price_changes(workspace_id: UUID, model_id: UUID) -> tuple[Change, ...]:
    """The latest first; none for a model that the workspace does not have."""
    own = Model.objects.filter(id=model_id, workspace_id=workspace_id).values("id")
    rows = PriceChange.objects.filter(model_id__in=own).order_by("-created_at")[:MAX_CHANGES]
    return tuple(
        Change(row.created_at, row.source, row.changed_by, _rates(row, "_before"), _rates(row, "")) for row in rows
    )


def _rates(row: PriceChange, suffix: str) -> Rates | None:
    figures = [getattr(row, column + suffix) for column in COLUMNS]
    return None if None in figures else Rates(*figures)


def syncs_of(workspace_id: UUID) -> tuple[SyncState, ...]:
    """One for each address that was read."""
    rows = CatalogueSync.objects.filter(workspace_id=workspace_id).order_by("provider", "base_url")
    return tuple(
        SyncState(row.provider, row.base_url, row.tried_at, row.succeeded_at, row.listed, row.error_code, row.diagnosis)
        for row in rows
    )
