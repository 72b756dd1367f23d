"""A project's architecture: modules, picture, decisions and what is open; a person approves, denies and confirms."""

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from api.rooms.actions import selectors as actions_of
from api.rooms.actions import services as actions
from api.rooms.architecture.domain import c4 as mermaid
from api.rooms.architecture.selectors import architecture
from api.rooms.backlog import services as backlog
from api.rooms.backlog.pendencies import pendencies
from api.rooms.kernel.refusals import Refusal, not_found
from api.rooms.projects.selectors import ProjectCard
from api.surfaces import access
from api.surfaces.web import picture, story_form
from api.surfaces.web.pages.people import PersonRequest, for_people
from api.surfaces.web.sentences import PROBLEMS
from contracts.problem import ProblemCode
from contracts.vocabulary import Role

NEEDED = {"confirm": Role.DEVELOPER, "approve": Role.MAINTAINER, "deny": Role.MAINTAINER}


@for_people
@require_http_methods(["GET", "POST"])
def show(request: PersonRequest, project_id: UUID) -> HttpResponse:
    if request.method != "POST":
        return _page(request, access.project(request.user.id, project_id, Role.VIEWER))
    needed = NEEDED.get(request.POST.get("do", ""))
    project = access.project(request.user.id, project_id, needed or Role.DEVELOPER)
    try:
        _act(request, project)
    except Refusal as refusal:
        if refusal.code is ProblemCode.NOT_FOUND:
            raise
        return _page(request, project, refusal)
    return redirect(request.path)


def _act(request: PersonRequest, project: ProjectCard) -> None:
    match request.POST.get("do", ""):
        case "confirm":
            backlog.confirm_architecture(project.id, request.user.id, story_form.version_in(request.POST))
        case "approve":
            actions.approve(_action(request, project), request.user.id, request.POST.get("sha256", ""))
        case "deny":
            actions.deny(_action(request, project), request.user.id, request.POST.get("reason", ""))
        case _:
            raise Refusal(ProblemCode.INVALID_BODY, "The field `do` is `confirm`, `approve` or `deny`.")


def _action(request: PersonRequest, project: ProjectCard) -> UUID:
    """Of this project: another's does not exist here."""
    try:
        action_id = UUID(request.POST.get("action", ""))
    except ValueError:
        raise Refusal(ProblemCode.INVALID_BODY, "The field `action` is the id of a proposed action.") from None
    if actions_of.action(action_id).project_id != project.id:
        raise not_found("action")
    return action_id


def _page(request: PersonRequest, project: ProjectCard, refusal: Refusal | None = None) -> HttpResponse:
    current = architecture(project.id)
    c4 = current.c4
    context = {
        "project": project,
        "architecture": current,
        "pictures": (picture.context(c4), picture.containers(c4, current.modules)) if c4 else (),
        "mermaid": (mermaid.context(c4), mermaid.containers(c4, current.modules)) if c4 else (),
        "decisions": actions_of.of_project(project.id),
        "pendencies": pendencies(project.id),
        "refusal": refusal,
        "problem": PROBLEMS[refusal.code] if refusal else "",
        "may_confirm": project.role.covers(Role.DEVELOPER),
        "may_decide": project.role.covers(Role.MAINTAINER),
    }
    return render(request, "pages/architecture.html", context, status=refusal.status if refusal else 200)
