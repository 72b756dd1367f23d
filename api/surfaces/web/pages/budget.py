"""What may be spent in a workspace, a project or a session: what is left of it, and changing it."""

from dataclasses import dataclass
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from api.rooms.agent_sessions.selectors import SessionCard
from api.rooms.budgets import selectors
from api.rooms.budgets import services as budgets
from api.rooms.budgets.domain.places import Place
from api.rooms.budgets.services.limits import MAX_LIMIT_MICROS
from api.rooms.projects.selectors import ProjectCard, WorkspaceCard
from api.surfaces import access
from api.surfaces.web import typed_money
from api.surfaces.web.pages.people import PersonRequest, for_people
from contracts.vocabulary import Role

UNREADABLE = -1


@dataclass(frozen=True)
class Scope:
    """The place whose limit is changed, and what it is called."""

    place: Place
    workspace: WorkspaceCard
    project: ProjectCard | None = None
    session: SessionCard | None = None


@for_people
@require_http_methods(["GET", "POST"])
def of_workspace(request: PersonRequest, workspace_id: UUID) -> HttpResponse:
    workspace = access.workspace(request.user.id, workspace_id, Role.OWNER if request.method == "POST" else Role.VIEWER)
    return _show(request, Scope(Place(workspace.id), workspace))


@for_people
@require_http_methods(["GET", "POST"])
def of_project(request: PersonRequest, project_id: UUID) -> HttpResponse:
    project = access.project(request.user.id, project_id, _needed(request))
    workspace = access.workspace(request.user.id, project.workspace_id, Role.VIEWER)
    return _show(request, Scope(Place(workspace.id, project.id), workspace, project))


@for_people
@require_http_methods(["GET", "POST"])
def of_session(request: PersonRequest, session_id: UUID) -> HttpResponse:
    found = access.session(request.user.id, session_id, _needed(request))
    workspace = access.workspace(request.user.id, found.project.workspace_id, Role.VIEWER)
    place = Place(workspace.id, found.project.id, found.session.id)
    return _show(request, Scope(place, workspace, found.project, found.session))


def _needed(request: PersonRequest) -> Role:
    """Who may choose a model may choose what it may cost; of the whole workspace that is its owners."""
    return Role.MAINTAINER if request.method == "POST" else Role.VIEWER


def _show(request: PersonRequest, scope: Scope) -> HttpResponse:
    if request.method != "POST":
        return _page(request, scope)
    typed = "" if "remove" in request.POST else request.POST.get("limit", "").strip()
    limit = None if "remove" in request.POST else micros_of(typed)
    if limit == UNREADABLE:
        return _page(request, scope, typed, is_refused=True)
    budgets.set_limit(scope.place, limit)
    return redirect(request.path)


def micros_of(text: str) -> int:
    """US dollars, with a point or a comma, as whole micros; UNREADABLE when it is no limit that can be kept."""
    micros = typed_money.read(text)
    return UNREADABLE if micros is None or not 0 <= micros <= MAX_LIMIT_MICROS else int(micros)


def _page(request: PersonRequest, scope: Scope, typed: str = "", *, is_refused: bool = False) -> HttpResponse:
    standings = selectors.budget_of(scope.place)
    context = {
        "scope": scope,
        "project": scope.project,
        "session": scope.session,
        "standings": standings,
        "own": standings[0],
        "may_change": scope.workspace.role.covers(Role.MAINTAINER if scope.project else Role.OWNER),
        "typed": typed,
        "is_refused": is_refused,
    }
    return render(request, "pages/budget.html", context, status=400 if is_refused else 200)
