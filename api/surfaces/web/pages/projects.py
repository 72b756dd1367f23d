"""All projects that a person may see, and the beginning of a new one."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from api.rooms.kernel.refusals import Refusal
from api.rooms.projects import selectors, services
from api.surfaces import access
from api.surfaces.web.pages.people import PersonRequest, for_people
from api.surfaces.web.sentences import PROBLEMS
from contracts.problem import ProblemCode
from contracts.vocabulary import Language, Role


@require_safe
def home(_request: HttpRequest) -> HttpResponse:
    return redirect("web:projects")


@for_people
@require_http_methods(["GET", "POST"])
def show(request: PersonRequest) -> HttpResponse:
    if request.method != "POST":
        return _page(request)
    try:
        card = services.create_project(
            request.user.id, _workspace(request), request.POST.get("name", ""), _language(request)
        )
    except Refusal as refusal:
        if refusal.code is not ProblemCode.INVALID_BODY:
            raise
        return _page(request, refusal)
    return redirect("web:project", card.id)


def _page(request: PersonRequest, refusal: Refusal | None = None) -> HttpResponse:
    workspaces = selectors.workspaces_of(request.user.id)
    context = {
        "projects": selectors.projects_of(request.user.id),
        "workspaces": [card for card in workspaces if card.role.covers(Role.DEVELOPER)],
        "has_many_workspaces": len(workspaces) > 1,
        "problem": PROBLEMS[refusal.code] if refusal else "",
        "name": request.POST.get("name", ""),
    }
    return render(request, "pages/projects.html", context, status=refusal.status if refusal else 200)


def _workspace(request: PersonRequest) -> UUID:
    try:
        workspace_id = UUID(request.POST.get("workspace", ""))
    except ValueError:
        raise Refusal(ProblemCode.INVALID_BODY, "The field `workspace` is a workspace's id.") from None
    access.workspace(request.user.id, workspace_id, Role.DEVELOPER)
    return workspace_id


def _language(request: PersonRequest) -> Language:
    try:
        return Language(request.POST.get("language", ""))
    except ValueError:
        raise Refusal(ProblemCode.INVALID_BODY, "The field `language` is `en` or `pt-br`.") from None
