"""What owners decide about a model: whether it is in use, its price, its uses and its fallback (RN-052)."""

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction

from api.rooms.budgets.domain.metering import Rates
from api.rooms.gateway.domain.uses import ModelUse, in_order
from api.rooms.gateway.models import Model
from api.rooms.gateway.services.prices import forget_price, set_price
from api.rooms.kernel.refusals import Refusal, not_found
from contracts.problem import ProblemCode


@dataclass(frozen=True)
class Switch:
    """On or off."""

    is_active: bool


@dataclass(frozen=True)
class Price:
    """By hand; null: what the provider or the price table says counts again."""

    rates: Rates | None


@dataclass(frozen=True)
class Uses:
    """In place of those before."""

    uses: tuple[ModelUse, ...]


@dataclass(frozen=True)
class Fallback:
    """Null for none."""

    model_id: UUID | None


Change = Switch | Price | Uses | Fallback


@transaction.atomic
def change_model(workspace_id: UUID, model_id: UUID, changes: Iterable[Change], by: UUID) -> None:
    """All of them, in their order, or none."""
    for change in changes:
        match change:
            case Switch(is_active):
                set_active(workspace_id, model_id, is_active=is_active)
            case Price(None):
                forget_price(workspace_id, model_id, by)
            case Price(Rates() as rates):
                set_price(workspace_id, model_id, rates, by)
            case Uses(uses):
                set_uses(workspace_id, model_id, uses)
            case Fallback(fallback_id):
                set_fallback(workspace_id, model_id, fallback_id)


def set_uses(workspace_id: UUID, model_id: UUID, uses: Iterable[ModelUse]) -> None:
    """What the workspace has this model for: replaces what was marked, and switches nothing on or off (RN-057)."""
    if not Model.objects.filter(id=model_id, workspace_id=workspace_id).update(uses=list(in_order(uses))):
        raise not_found("model")


def set_active(workspace_id: UUID, model_id: UUID, *, is_active: bool) -> None:
    """Let agents use a model, or no longer (RN-052). Bindings stay and are passed over meanwhile."""
    if not Model.objects.filter(id=model_id, workspace_id=workspace_id).update(is_active=is_active):
        raise not_found("model")


def set_fallback(workspace_id: UUID, model_id: UUID, fallback_id: UUID | None) -> None:
    """The model that a call goes to, once, when this one does not exist any more; null for none."""
    known = Model.objects.filter(workspace_id=workspace_id)
    if not known.filter(id=model_id).exists() or (fallback_id and not known.filter(id=fallback_id).exists()):
        raise not_found("model")
    if fallback_id == model_id:
        raise Refusal(ProblemCode.INVALID_PARAMETER, "A model is no fallback of itself.", {"field": "fallback"})
    known.filter(id=model_id).update(fallback_id=fallback_id)
