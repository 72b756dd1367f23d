"""Iterations: planned, ordered, filled, and detailed in one batch whose progress is shown while it runs."""

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from api.rooms.backlog import iteration_pages, selectors
from api.rooms.backlog import services as backlog
from api.rooms.backlog.cards import StoryCard
from api.rooms.backlog.services import resolving
from api.rooms.kernel.refusals import Refusal
from api.rooms.projects.selectors import ProjectCard
from api.surfaces import access
from api.surfaces.web import story_form
from api.surfaces.web.pages.people import PersonRequest, for_people
from api.surfaces.web.sentences import PROBLEMS
from contracts.detailing import ProjectKind
from contracts.limits import MAX_ITERATION_STORIES
from contracts.problem import ProblemCode
from contracts.vocabulary import Role, StoryStatus


@for_people
@require_http_methods(["GET", "POST"])
def show(request: PersonRequest, project_id: UUID) -> HttpResponse:
    """All of them, and a new one."""
    is_post = request.method == "POST"
    project = access.project(request.user.id, project_id, Role.DEVELOPER if is_post else Role.VIEWER)
    if not is_post:
        return _all(request, project)
    try:
        return redirect(_planned(request, project))
    except Refusal as refusal:
        return _all(request, project, refusal)


def _planned(request: PersonRequest, project: ProjectCard) -> str:
    if "kind" in request.POST:
        access.project(request.user.id, project.id, Role.MAINTAINER)
        backlog.set_kind(project.id, _kind(request.POST["kind"]))
        return request.path
    title, capacity = request.POST.get("title", ""), _number(request.POST.get("capacity", ""))
    code = backlog.plan_iteration(project.id, request.user.id, title, capacity)
    return reverse("web:iteration", args=[project.id, code])


def _all(request: PersonRequest, project: ProjectCard, refusal: Refusal | None = None) -> HttpResponse:
    context = {
        "project": project,
        "iterations": iteration_pages.iterations(project.id),
        "kind": iteration_pages.kind_of(project.id),
        "kinds": tuple(ProjectKind),
        "found": resolving.rates(project.id),
        "may_plan": project.role.covers(Role.DEVELOPER),
        "may_set": project.role.covers(Role.MAINTAINER),
        **_problem(refusal),
    }
    return render(request, "pages/iterations.html", context, status=refusal.status if refusal else 200)


@for_people
@require_http_methods(["GET", "POST"])
def one(request: PersonRequest, project_id: UUID, code: str) -> HttpResponse:
    is_post = request.method == "POST"
    project = access.project(request.user.id, project_id, Role.DEVELOPER if is_post else Role.VIEWER)
    if not is_post:
        return _one(request, project, code)
    try:
        _act(request, project, code)
    except Refusal as refusal:
        if refusal.code is ProblemCode.NOT_FOUND:
            raise
        return _one(request, project, code, refusal)
    return redirect(request.path)


def _act(request: PersonRequest, project: ProjectCard, code: str) -> None:
    match request.POST.get("do", ""):
        case "change":
            version, title = story_form.version_in(request.POST), request.POST.get("title", "")
            capacity, stories = _number(request.POST.get("capacity", "")), _stories(request)
            backlog.change_iteration(project.id, request.user.id, code, version, title, capacity, stories)
        case "add":
            backlog.schedule(project.id, request.user.id, code, request.POST.get("story", ""))
        case "detail":
            backlog.detail_iteration(project.id, request.user.id, code)
        case "cancel":
            backlog.cancel_detailing(project.id, request.user.id, code)
        case _:
            raise Refusal(ProblemCode.INVALID_BODY, "The field `do` is `change`, `add`, `detail` or `cancel`.")


def _stories(request: PersonRequest) -> list[str]:
    """In the order of the form, or with one moved: `move` is `S-3:up`, `S-3:down` or `S-3:out`."""
    stories = request.POST.getlist("story")[:MAX_ITERATION_STORIES]
    moved, _, where = request.POST.get("move", "").partition(":")
    if moved not in stories:
        return stories
    at = stories.index(moved)
    stories.remove(moved)
    if where != "out":
        stories.insert(max(0, at - 1) if where == "up" else at + 1, moved)
    return stories


def _one(request: PersonRequest, project: ProjectCard, code: str, refusal: Refusal | None = None) -> HttpResponse:
    page = iteration_pages.iteration(project.id, code)
    context = {
        "project": project,
        "page": page,
        "iteration": page.card,
        "unplanned": _unplanned(project.id),
        "undetailed": sum(not story.tasks for story in page.stories),
        "may_plan": project.role.covers(Role.DEVELOPER),
        **_problem(refusal),
    }
    return render(request, "pages/iteration.html", context, status=refusal.status if refusal else 200)


def _unplanned(project_id: UUID) -> list[StoryCard]:
    """What may still be planned: in no iteration, and not done."""
    stories = (story for epic in selectors.tree(project_id) for story in epic.stories)
    return [story for story in stories if not story.iteration and story.status is not StoryStatus.DONE]


def _problem(refusal: Refusal | None) -> dict[str, object]:
    return {"refusal": refusal, "problem": PROBLEMS[refusal.code] if refusal else ""}


def _number(text: str) -> int:
    """0 for what is no number: the service says which ones are."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= story_form.VERSION_DIGITS else 0


def _kind(text: str) -> ProjectKind:
    try:
        return ProjectKind(text)
    except ValueError:
        raise Refusal(ProblemCode.INVALID_BODY, "The field `kind` is `new`, `ongoing` or `migration`.") from None
