"""One project: its sessions, and the beginning of a new one."""

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from api.rooms.agent_sessions import selectors
from api.rooms.agent_sessions import services as agent_sessions
from api.rooms.kernel.refusals import Refusal
from api.rooms.projects.selectors import ProjectCard
from api.surfaces import access
from api.surfaces.web.pages.people import PersonRequest, for_people
from api.surfaces.web.sentences import PROBLEMS
from contracts.problem import ProblemCode
from contracts.vocabulary import Role, SessionKind


@for_people
@require_http_methods(["GET", "POST"])
def show(request: PersonRequest, project_id: UUID) -> HttpResponse:
    is_post = request.method == "POST"
    project = access.project(request.user.id, project_id, Role.DEVELOPER if is_post else Role.VIEWER)
    if not is_post:
        return _page(request, project)
    try:
        name = request.POST.get("name", "").strip() or None
        session_id = agent_sessions.open_session(project.id, request.user.id, _kind(request), name)
    except Refusal as refusal:
        return _page(request, project, refusal)
    return redirect("web:session", session_id)


def _page(request: PersonRequest, project: ProjectCard, refusal: Refusal | None = None) -> HttpResponse:
    context = {
        "project": project,
        "sessions": selectors.sessions_of(project.id),
        "may_open": project.role.covers(Role.DEVELOPER),
        "problem": PROBLEMS[refusal.code] if refusal else "",
        "name": request.POST.get("name", ""),
        "kind": request.POST.get("kind", SessionKind.CREATIVE),
    }
    return render(request, "pages/project.html", context, status=refusal.status if refusal else 200)


def _kind(request: PersonRequest) -> SessionKind:
    try:
        return SessionKind(request.POST.get("kind", ""))
    except ValueError:
        raise Refusal(ProblemCode.INVALID_BODY, "The field `kind` is `creative` or `consultative`.") from None
