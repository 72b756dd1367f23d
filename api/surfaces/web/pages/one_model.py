"""One model of a workspace: what it can do and is for, what it costs and cost, and what answers in its place."""

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from api.rooms.budgets.domain.metering import Rates
from api.rooms.gateway import catalogue
from api.rooms.gateway import services as gateway
from api.rooms.gateway.catalogue import ModelCard
from api.rooms.gateway.domain.uses import ModelUse
from api.rooms.gateway.services.curation import Change, Fallback, Price, Switch, Uses
from api.rooms.kernel.refusals import Refusal, not_found
from api.rooms.projects.selectors import WorkspaceCard, members_of
from api.surfaces import access
from api.surfaces.web import typed_money, typed_prices
from api.surfaces.web.model_choices import choices
from api.surfaces.web.pages.people import PersonRequest, for_people
from api.surfaces.web.sentences import MODEL_FIELDS
from contracts.problem import ProblemCode
from contracts.vocabulary import Role


@for_people
@require_http_methods(["GET", "POST"])
def show(request: PersonRequest, workspace_id: UUID, model_id: UUID) -> HttpResponse:
    needed = Role.OWNER if request.method == "POST" else Role.VIEWER
    workspace = access.workspace(request.user.id, workspace_id, needed)
    if catalogue.model_of(workspace_id, model_id) is None:
        raise not_found("model")
    if request.method != "POST":
        return _page(request, workspace, model_id)
    try:
        gateway.change_model(workspace_id, model_id, (_change(request),), request.user.id)
    except Refusal as refusal:
        if refusal.code is not ProblemCode.INVALID_PARAMETER:
            raise
        return _page(request, workspace, model_id, refusal)
    return redirect("web:one-model", workspace_id, model_id)


def _change(request: PersonRequest) -> Change:
    asked = request.POST.get("do", "")
    if asked in ("on", "off"):
        return Switch(asked == "on")
    if asked == "price":
        return Price(_price(request))
    if asked == "forget-price":
        return Price(None)
    if asked == "uses":
        return Uses(_uses(request))
    if asked == "fallback":
        return Fallback(_fallback(request))
    raise Refusal(ProblemCode.INVALID_BODY, "Say what to do: on, off, price, forget-price, uses or fallback.")


def _uses(request: PersonRequest) -> tuple[ModelUse, ...]:
    try:
        return tuple(map(ModelUse, request.POST.getlist("use")))
    except ValueError:
        raise Refusal(ProblemCode.INVALID_BODY, f"A `use` is one of {', '.join(ModelUse)}.") from None


def _price(request: PersonRequest) -> Rates:
    found = typed_prices.rates(request.POST)
    if found is None:
        raise Refusal(ProblemCode.INVALID_PARAMETER, "A price has an input and an output.", {"field": "price_in"})
    return found


def _fallback(request: PersonRequest) -> UUID | None:
    typed = request.POST.get("fallback", "")
    try:
        return UUID(typed) if typed else None
    except ValueError:
        raise Refusal(ProblemCode.INVALID_BODY, "The field `fallback` is a model's id, or empty.") from None


def _page(
    request: PersonRequest, workspace: WorkspaceCard, model_id: UUID, refusal: Refusal | None = None
) -> HttpResponse:
    cards = catalogue.models_of(workspace.id)
    card = next((each for each in cards if each.id == model_id), None)
    if card is None:
        raise not_found("model")
    field = refusal.facts.get("field", "") if refusal else ""
    context = {
        "workspace": workspace,
        "model": card,
        "typed": _typed(request, card),
        "changes": _history(workspace.id, model_id),
        "fallbacks": [each for each in choices(cards, needs_tools=False).usable if each.id != model_id],
        "fallback": next((each for each in cards if each.id == card.fallback_id), None),
        "uses": tuple(ModelUse),
        "may_change": workspace.role.covers(Role.OWNER),
        "problem": MODEL_FIELDS.get(field, MODEL_FIELDS["other"]) if refusal else "",
        "problem_field": field,
    }
    return render(request, "pages/one_model.html", context, status=refusal.status if refusal else 200)


def _typed(request: PersonRequest, card: ModelCard) -> dict[str, str]:
    """What was typed, or the price that a person set before."""
    if request.POST.get("do") == "price":
        return {field: request.POST.get(field, "") for field in typed_prices.FIELDS}
    if card.rates is None or card.price_source != "manual":
        return {}
    rates = card.rates
    return dict(
        zip(
            typed_prices.FIELDS,
            map(typed_money.written, (rates.input, rates.output, rates.cache_read, rates.cache_write)),
            strict=True,
        )
    )


def _history(workspace_id: UUID, model_id: UUID) -> list[tuple[catalogue.Change, str]]:
    """Each change with the name of who made it, empty when nobody did or they left."""
    names = {member.user_id: member.name for member in members_of(workspace_id)}
    changes = catalogue.price_changes(workspace_id, model_id)
    return [(change, names.get(change.changed_by, "") if change.changed_by else "") for change in changes]
