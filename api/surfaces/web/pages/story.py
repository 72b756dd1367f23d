"""One story: what it says, how it stands, its tasks; changed by hand, promoted, given back, taken back."""

import re
from dataclasses import dataclass
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from api.rooms.backlog import selectors
from api.rooms.backlog import services as backlog
from api.rooms.backlog.domain.states import EDITABLE
from api.rooms.kernel.refusals import Refusal
from api.rooms.projects.selectors import ProjectCard
from api.surfaces import access
from api.surfaces.web import story_form, task_form
from api.surfaces.web.pages.people import PersonRequest, for_people
from api.surfaces.web.sentences import PROBLEMS
from api.surfaces.web.story_form import Typed
from api.surfaces.web.timeline.told import told
from contracts.backlog import STORY_LISTS
from contracts.detailing import Domain
from contracts.limits import MAX_LINES
from contracts.problem import ProblemCode
from contracts.vocabulary import Role

SEEN = re.compile(r"(R-[1-9][0-9]{0,8}):([1-9][0-9]{0,8})")


@dataclass(frozen=True)
class Shown:
    """What a refused change left on the page: why, and what was typed."""

    refusal: Refusal | None = None
    typed: Typed | None = None

    @property
    def status(self) -> int:
        return self.refusal.status if self.refusal else 200


@for_people
@require_http_methods(["GET", "POST"])
def show(request: PersonRequest, project_id: UUID, code: str) -> HttpResponse:
    is_post = request.method == "POST"
    project = access.project(request.user.id, project_id, Role.DEVELOPER if is_post else Role.VIEWER)
    if not is_post:
        return _page(request, project, code, Shown())
    typed = story_form.read(request.POST) if request.POST.get("do") == "edit" else None
    try:
        _act(request, project, code, typed)
    except Refusal as refusal:
        if refusal.code is ProblemCode.NOT_FOUND:
            raise
        return _page(request, project, code, Shown(refusal, typed))
    return redirect(request.path)


def _act(request: PersonRequest, project: ProjectCard, code: str, typed: Typed | None) -> None:
    match request.POST.get("do", ""):
        case "edit" if typed is not None:
            backlog.edit(project.id, request.user.id, code, typed.version, typed.changes())
        case "promote":
            done = backlog.promote(project.id, request.user.id, [code])
            if done.failed:
                raise Refusal(ProblemCode.INVALID_BACKLOG, done.failed[0].reason)
        case "return":
            backlog.return_story(project.id, request.user.id, code, request.POST.get("reason", ""))
        case "demote":
            backlog.demote(project.id, request.user.id, code, request.POST.get("reason", ""))
        case "review":
            backlog.review_story(project.id, request.user.id, code, _seen(request.POST.getlist("seen")))
        case _:
            task_form.act(request.POST, request.user.id, project.id, code)


def _seen(pairs: list[str]) -> dict[str, int]:
    """Rules with the versions that stood on the page, as `R-1:2`. Raises Refusal."""
    found = [SEEN.fullmatch(pair) for pair in pairs[:MAX_LINES]]
    if not all(found):
        raise Refusal(ProblemCode.INVALID_BODY, "The field `seen` is a rule and its version: `R-1:2`.")
    return {match[1]: int(match[2]) for match in found if match}


def _page(request: PersonRequest, project: ProjectCard, code: str, shown: Shown) -> HttpResponse:
    story = selectors.story(project.id, code)
    rules = {rule.code: rule for rule in selectors.rules(project.id)}
    typed = shown.typed or story_form.of(story)
    context = {
        "project": project,
        "story": story,
        "rules": [rules[code] for code in story.content.rules],
        "lists": [(name, getattr(story.content, name)) for name in STORY_LISTS],
        "history": told(selectors.history(story.id), str(request.user.id)),
        "is_editable": story.status in EDITABLE,
        "parts": story_form.parts(typed, story if shown.refusal else None),
        "typed": typed,
        "refusal": shown.refusal,
        "problem": PROBLEMS[shown.refusal.code] if shown.refusal else "",
        "domains": tuple(Domain),
        "may_change": project.role.covers(Role.DEVELOPER),
    }
    return render(request, "pages/story.html", context, status=shown.status)
