"""One business rule: the words it rests on, its wordings, what rests on it; reworded or merged by hand."""

from dataclasses import dataclass
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from api.rooms.backlog import selectors
from api.rooms.backlog import services as backlog
from api.rooms.backlog.cards import RuleCard
from api.rooms.backlog.rule_pages import rule_page
from api.rooms.kernel.refusals import Refusal
from api.rooms.projects.selectors import ProjectCard
from api.surfaces import access
from api.surfaces.web import story_form
from api.surfaces.web.pages.people import PersonRequest, for_people
from api.surfaces.web.sentences import PROBLEMS
from api.surfaces.web.timeline.told import told
from contracts.problem import ProblemCode
from contracts.vocabulary import Role


@dataclass(frozen=True)
class Words:
    """As typed; `version` is the one that the person saw."""

    version: int
    title: str
    description: str


@dataclass(frozen=True)
class Shown:
    """What a refused change left on the page: why, and what was typed."""

    refusal: Refusal | None = None
    typed: Words | None = None


@for_people
@require_http_methods(["GET", "POST"])
def show(request: PersonRequest, project_id: UUID, code: str) -> HttpResponse:
    is_post = request.method == "POST"
    project = access.project(request.user.id, project_id, Role.DEVELOPER if is_post else Role.VIEWER)
    if not is_post:
        return _page(request, project, code, Shown())
    typed = _typed(request) if request.POST.get("do") == "edit" else None
    try:
        return redirect(reverse("web:rule", args=[project.id, _act(request, project, code, typed)]))
    except Refusal as refusal:
        if refusal.code is ProblemCode.NOT_FOUND:
            raise
        return _page(request, project, code, Shown(refusal, typed))


def _act(request: PersonRequest, project: ProjectCard, code: str, typed: Words | None) -> str:
    """The code of the rule to look at afterwards."""
    if typed is not None:
        backlog.edit_rule(project.id, request.user.id, code, typed.version, typed.title, typed.description)
        return code
    if request.POST.get("do") == "merge":
        into = request.POST.get("into", "").strip().upper()
        backlog.merge_rules(project.id, request.user.id, code, into)
        return into
    raise Refusal(ProblemCode.INVALID_BODY, "The field `do` is `edit` or `merge`.")


def _typed(request: PersonRequest) -> Words:
    words = (request.POST.get(name, "").replace("\r\n", "\n") for name in ("title", "description"))
    return Words(story_form.version_in(request.POST), *words)


def _page(request: PersonRequest, project: ProjectCard, code: str, shown: Shown) -> HttpResponse:
    page = rule_page(project.id, code)
    context = {
        "project": project,
        "page": page,
        "rule": page.rule,
        "typed": shown.typed or _present(page.rule),
        "wordings": told(page.wordings, str(request.user.id)),
        "others": [rule for rule in selectors.rules(project.id) if rule.code != code],
        "refusal": shown.refusal,
        "problem": PROBLEMS[shown.refusal.code] if shown.refusal else "",
        "may_change": project.role.covers(Role.DEVELOPER) and not page.merged_into,
    }
    return render(request, "pages/rule.html", context, status=shown.refusal.status if shown.refusal else 200)


def _present(rule: RuleCard) -> Words:
    return Words(rule.version, rule.title, rule.description)
