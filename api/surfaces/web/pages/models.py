"""The models that a workspace knows: found by words, switched on and off, read anew from their providers."""

from dataclasses import dataclass
from uuid import UUID

from asgiref.sync import async_to_sync
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from api.rooms.gateway import catalogue
from api.rooms.gateway import services as gateway
from api.rooms.gateway.catalogue import ModelCard
from api.rooms.gateway.domain.uses import ModelUse
from api.rooms.gateway.services.curation import Switch
from api.rooms.kernel.db import give_back_connection
from api.rooms.kernel.refusals import Refusal
from api.surfaces import access
from api.surfaces.web.pages.people import PersonRequest, for_people
from contracts.problem import ProblemCode
from contracts.vocabulary import Role

MAX_SHOWN = 50


@dataclass(frozen=True)
class Shelf:
    """Models in use, or those that wait to be switched on; `shown` is its beginning unless all were asked for."""

    name: str
    count: int
    shown: tuple[ModelCard, ...]


@for_people
@require_http_methods(["GET", "POST"])
def show(request: PersonRequest, workspace_id: UUID) -> HttpResponse:
    needed = Role.OWNER if request.method == "POST" else Role.VIEWER
    workspace = access.workspace(request.user.id, workspace_id, needed)
    if request.method == "POST":
        _switch(request, workspace_id)
        return redirect(request.get_full_path())
    cards = catalogue.models_of(workspace_id)
    words, use = request.GET.get("q", "").strip(), request.GET.get("use", "")
    context = {
        "workspace": workspace,
        "words": words,
        "count": len(cards),
        "uses": tuple(ModelUse),
        "use": use,
        "shelves": _shelves([card for card in cards if _matches(card, words, use)], has_all="all" in request.GET),
        "syncs": catalogue.syncs_of(workspace_id),
        "may_change": workspace.role.covers(Role.OWNER),
    }
    return render(request, "pages/models.html", context)


@for_people
@require_POST
def read_lists(request: PersonRequest, workspace_id: UUID) -> HttpResponse:
    """Every address is asked; what each answered is kept and shown on the page."""
    access.workspace(request.user.id, workspace_id, Role.OWNER)
    give_back_connection()
    async_to_sync(gateway.sync_workspace)(workspace_id)
    return redirect("web:models", workspace_id)


def _switch(request: PersonRequest, workspace_id: UUID) -> None:
    is_active = "on" in request.POST
    try:
        model_id = UUID(request.POST.get("on" if is_active else "off", ""))
    except ValueError:
        raise Refusal(ProblemCode.INVALID_BODY, "Name the model by its id, in `on` or in `off`.") from None
    gateway.change_model(workspace_id, model_id, (Switch(is_active),), request.user.id)


def _matches(card: ModelCard, words: str, use: str) -> bool:
    """Each word is somewhere in its names or its address, and it is marked for the use, if one is asked for."""
    if use and use not in card.uses:
        return False
    text = f"{card.name} {card.display_name} {card.provider} {card.base_url}".casefold()
    return all(word in text for word in words.casefold().split())


def _shelves(cards: list[ModelCard], *, has_all: bool) -> tuple[Shelf, ...]:
    used = tuple(card for card in cards if card.is_active and not card.is_retired)
    other = tuple(card for card in cards if not card.is_active or card.is_retired)
    return tuple(
        Shelf(name, len(found), found if has_all else found[:MAX_SHOWN])
        for name, found in (("used", used), ("other", other))
    )
