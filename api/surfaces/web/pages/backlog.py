"""A project's backlog as a tree, a board and a list, searched and filtered, also by a person's saved filters."""

from collections import defaultdict
from dataclasses import dataclass
from urllib.parse import urlencode
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from api.rooms.backlog import filters, selectors
from api.rooms.backlog import services as backlog
from api.rooms.backlog.cards import EpicCard, StoryCard
from api.rooms.backlog.filters import Filter, Need
from api.rooms.backlog.searching import Found, search
from api.rooms.kernel.refusals import Refusal
from api.rooms.projects.selectors import ProjectCard
from api.surfaces import access
from api.surfaces.web.pages.people import PersonRequest, for_people
from contracts.problem import ProblemCode
from contracts.vocabulary import Role, StoryStatus

VIEWS = ("tree", "board", "list")
MAX_SHOWN = 200


@dataclass(frozen=True)
class Column:
    """The stories of one state; `more` were left out."""

    status: StoryStatus
    stories: tuple[StoryCard, ...]
    more: int


@for_people
@require_http_methods(["GET", "POST"])
def show(request: PersonRequest, project_id: UUID) -> HttpResponse:
    project = access.project(request.user.id, project_id, Role.VIEWER)
    if request.method == "POST":
        return _keep(request, project)
    wanted = filters.read(request.GET.dict())
    found = search(project.id, wanted, MAX_SHOWN)
    view = request.GET.get("view") if request.GET.get("view") in VIEWS else VIEWS[0]
    context = {
        "project": project,
        "view": view,
        "wanted": wanted,
        "query": urlencode(wanted.as_query()),
        "needs": tuple(Need),
        "statuses": tuple(StoryStatus),
        "all_epics": selectors.epics(project.id),
        "saved": [(card, urlencode(card.query)) for card in selectors.saved_filters(project.id, request.user.id)],
        "epics": _by_epic(project.id, found, wanted),
        "stories": found.stories,
        "columns": [
            Column(status, stories, total - len(stories)) for status, (stories, total) in found.by_status.items()
        ],
        "found": found.total,
        "shown": len(found.stories),
        "total": selectors.count_stories(project.id),
    }
    return render(request, "pages/backlog.html", context)


def _by_epic(project_id: UUID, found: Found, wanted: Filter) -> list[tuple[EpicCard, tuple[StoryCard, ...]]]:
    """Each epic with those of its stories that are shown; one without a story is shown when nothing is asked for."""
    stories: dict[str, list[StoryCard]] = defaultdict(list)
    for story in found.stories:
        stories[story.epic].append(story)
    with_stories = selectors.epics_with_stories(project_id) if wanted.is_open else frozenset()
    return [
        (epic, tuple(stories[epic.code]))
        for epic in selectors.bare_epics(project_id)
        if stories[epic.code] or (wanted.is_open and epic.code not in with_stories)
    ]


def _keep(request: PersonRequest, project: ProjectCard) -> HttpResponse:
    """A filter is a person's own: who may read may keep one."""
    back = reverse("web:backlog", args=[project.id])
    if "drop" in request.POST:
        backlog.drop_filter(project.id, request.user.id, _id(request.POST["drop"]))
        return redirect(back)
    wanted: Filter = filters.read(request.POST.dict())
    backlog.save_filter(project.id, request.user.id, request.POST.get("name", ""), wanted)
    return redirect(f"{back}?{urlencode(wanted.as_query())}")


def _id(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise Refusal(ProblemCode.INVALID_BODY, "The field `drop` is the id of a saved filter.") from None
