"""The promotion queue: complete stories that wait for a person, promoted some or all, or given back (RN-048)."""

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from api.rooms.backlog import selectors
from api.rooms.backlog import services as backlog
from api.rooms.backlog.services import Promoted
from api.rooms.kernel.refusals import Refusal
from api.rooms.projects.selectors import ProjectCard
from api.surfaces import access
from api.surfaces.web.pages.people import PersonRequest, for_people
from contracts.problem import ProblemCode
from contracts.vocabulary import Promotion, Role

MAX_AT_ONCE = 200


@for_people
@require_http_methods(["GET", "POST"])
def show(request: PersonRequest, project_id: UUID) -> HttpResponse:
    is_post = request.method == "POST"
    project = access.project(request.user.id, project_id, Role.DEVELOPER if is_post else Role.VIEWER)
    if not is_post:
        return _page(request, project)
    if "promotion" in request.POST:
        access.project(request.user.id, project_id, Role.MAINTAINER)
        backlog.set_promotion(project.id, _mode(request.POST["promotion"]))
        return redirect(request.path)
    done = backlog.promote(project.id, request.user.id, request.POST.getlist("story")[:MAX_AT_ONCE])
    return _page(request, project, done) if done.failed else redirect(request.path)


def _page(request: PersonRequest, project: ProjectCard, done: Promoted | None = None) -> HttpResponse:
    context = {
        "project": project,
        "stories": selectors.proposed(project.id),
        "promotion": selectors.promotion_of(project.id),
        "may_promote": project.role.covers(Role.DEVELOPER),
        "may_set": project.role.covers(Role.MAINTAINER),
        "done": done,
    }
    return render(request, "pages/promotions.html", context)


def _mode(text: str) -> Promotion:
    try:
        return Promotion(text)
    except ValueError:
        raise Refusal(ProblemCode.INVALID_BODY, "The field `promotion` is `manual` or `automatic`.") from None
