"""What a provider listed becomes rows of the catalogue: found, brought up to date, retired (RN-043, RN-044)."""

from collections.abc import Sequence

from django.db import transaction

from api.rooms.gateway.domain.listing import ListedModel
from api.rooms.gateway.models import Model, PriceSource
from api.rooms.gateway.services.catalogue import DEFAULT_CONTEXT_TOKENS
from api.rooms.gateway.services.prices import change_price, table_entry
from api.rooms.gateway.services.sources import Source
from api.rooms.kernel.clock import now

MAX_KNOWN = 2_000
"""Models of one address: what a longer list says beyond them is not taken up."""
FACETS = ("context_tokens", "max_output_tokens", "has_tools", "has_vision", "has_reasoning")


@transaction.atomic
def take_up(source: Source, listed: Sequence[ListedModel]) -> None:
    """New ones wait for a person; what vanished is retired and not deleted; what returned is as it was (RN-043)."""
    rows = Model.objects.select_for_update().filter(
        workspace_id=source.workspace_id, provider=source.provider, base_url=source.base_url
    )
    known = {row.name: row for row in rows.order_by("id")}
    seen = {model.name: model for model in listed}
    # By name, so that two readings at once wait for each other and never in a circle.
    for name in sorted(seen.keys() - known.keys())[: max(0, MAX_KNOWN - len(known))]:
        known[name] = _discovered(source, seen[name])
    for name in seen.keys() & known.keys():
        _update(known[name], seen[name])
    vanished = [row.id for name, row in known.items() if name not in seen and row.last_seen_at is not None]
    Model.objects.filter(id__in=vanished).update(is_retired=True)


def _discovered(source: Source, model: ListedModel) -> Model:
    known = table_entry(source.provider, source.base_url, model.name)
    context = model.context_tokens or (known.context_window if known else None) or DEFAULT_CONTEXT_TOKENS
    row, _ = Model.objects.select_for_update().get_or_create(
        workspace_id=source.workspace_id,
        provider=source.provider,
        base_url=source.base_url,
        name=model.name,
        defaults={"context_tokens": context, "is_active": False},
    )
    return row


def _update(row: Model, model: ListedModel) -> None:
    """Silence preserves; a price that a person set beats the provider's (RN-044)."""
    said = {name: getattr(model, name) for name in FACETS if getattr(model, name) is not None}
    said |= {"display_name": model.display_name} if model.display_name else {}
    Model.objects.filter(id=row.id).update(**said, is_retired=False, last_seen_at=now())
    if model.rates is not None and row.price_source != PriceSource.MANUAL:
        change_price(row, model.rates, PriceSource.SYNC)
