"""The keys of a workspace: stored, replaced, tested and removed, and never shown again."""

from dataclasses import dataclass
from uuid import UUID

from asgiref.sync import async_to_sync
from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from api.rooms.gateway import selectors
from api.rooms.gateway import services as gateway
from api.rooms.gateway.domain.listing import KeyAnswer, KeyVerdict
from api.rooms.gateway.providers.presets import COMPATIBLE, LANGUAGES, PRESETS
from api.rooms.gateway.selectors import CredentialCard
from api.rooms.kernel.db import give_back_connection
from api.rooms.kernel.refusals import Refusal, not_found
from api.rooms.projects.selectors import WorkspaceCard
from api.surfaces import access
from api.surfaces.web.pages.people import PersonRequest, for_people
from api.surfaces.web.sentences import MODEL_FIELDS
from contracts.problem import ProblemCode
from contracts.vocabulary import Role


@dataclass(frozen=True)
class KeyForm:
    """What may be shown of it again: never the secret."""

    provider: str = COMPATIBLE
    base_url: str = ""


@dataclass(frozen=True)
class Outcome:
    """What there is to say above the form: a refusal of a field, or a test's answer with what was tested."""

    refusal: Refusal | None = None
    answer: KeyAnswer | None = None
    tested: str = ""
    is_stored: bool = False


@for_people
@require_http_methods(["GET", "POST"])
def show(request: PersonRequest, workspace_id: UUID) -> HttpResponse:
    needed = Role.OWNER if request.method == "POST" else Role.MAINTAINER
    workspace = access.workspace(request.user.id, workspace_id, needed)
    if request.method != "POST":
        return _page(request, workspace, _asked_form(request, workspace_id), Outcome(is_stored="stored" in request.GET))
    asked = request.POST.get("do", "")
    if asked in ("remove", "test-stored"):
        return _stored(request, workspace, asked)
    form = KeyForm(request.POST.get("provider", COMPATIBLE).strip(), request.POST.get("base_url", "").strip())
    try:
        return _new(request, workspace, form, asked)
    except Refusal as refusal:
        if refusal.code is not ProblemCode.INVALID_PARAMETER:
            raise
        return _page(request, workspace, form, Outcome(refusal=refusal))


def _asked_form(request: PersonRequest, workspace_id: UUID) -> KeyForm:
    """Filled from a preset, or from a key that shall be replaced: both are plain links."""
    for preset in PRESETS:
        if preset.name == request.GET.get("preset"):
            return KeyForm(preset.provider, preset.base_url)
    for card in selectors.credentials_of(workspace_id):
        if str(card.id) == request.GET.get("replace"):
            return KeyForm(card.provider, card.base_url)
    return KeyForm()


def _new(request: PersonRequest, workspace: WorkspaceCard, form: KeyForm, asked: str) -> HttpResponse:
    """Tested first, unless that is not wanted; a key that was refused is not stored."""
    secret = request.POST.get("secret", "").strip()
    if asked != "store-untested":
        answer = _test(workspace.id, form.provider, form.base_url, secret)
        if asked == "test" or answer.verdict is KeyVerdict.REFUSED:
            return _page(request, workspace, form, Outcome(answer=answer, tested=form.base_url or form.provider))
    gateway.store_credential(workspace.id, form.provider, form.base_url, secret)
    return redirect(f"{request.path}?stored")


def _stored(request: PersonRequest, workspace: WorkspaceCard, asked: str) -> HttpResponse:
    card = _card(request, workspace.id)
    if asked == "remove":
        gateway.forget_credential(workspace.id, card.id)
        return redirect(request.path)
    answer = _test(workspace.id, card.provider, card.base_url, None)
    return _page(request, workspace, KeyForm(), Outcome(answer=answer, tested=card.base_url or card.provider))


def _card(request: PersonRequest, workspace_id: UUID) -> CredentialCard:
    for card in selectors.credentials_of(workspace_id):
        if str(card.id) == request.POST.get("key"):
            return card
    raise not_found("credential")


def _test(workspace_id: UUID, provider: str, base_url: str, secret: str | None) -> KeyAnswer:
    give_back_connection()
    return async_to_sync(gateway.check_key)(workspace_id, provider, base_url, secret)


def _page(request: PersonRequest, workspace: WorkspaceCard, form: KeyForm, outcome: Outcome) -> HttpResponse:
    refusal = outcome.refusal
    field = refusal.facts.get("field", "") if refusal else ""
    context = {
        "workspace": workspace,
        "keys": selectors.credentials_of(workspace.id),
        "presets": PRESETS,
        "providers": LANGUAGES,
        "allows_private": settings.MUTIRAO_ALLOW_PRIVATE_BASE_URLS,
        "form": form,
        "outcome": outcome,
        "may_name": True,
        "may_change": workspace.role.covers(Role.OWNER),
        "problem": MODEL_FIELDS.get(field, MODEL_FIELDS["other"]) if refusal else "",
        "problem_field": field,
        "problem_detail": refusal.detail if refusal else "",
    }
    return render(request, "pages/keys.html", context, status=refusal.status if refusal else 200)
