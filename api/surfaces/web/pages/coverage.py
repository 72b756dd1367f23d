"""What covers what, both ways, computed (RN-011), and which stories a reworded rule makes somebody look at."""

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from api.rooms.backlog import selectors
from api.rooms.backlog.impact import to_look_at
from api.surfaces import access
from api.surfaces.web.pages.people import PersonRequest, for_people
from contracts.vocabulary import Role

MOST_SHOWN = ":100"


@for_people
@require_safe
def show(request: PersonRequest, project_id: UUID) -> HttpResponse:
    project = access.project(request.user.id, project_id, Role.VIEWER)
    context = {
        "project": project,
        "coverage": selectors.coverage(project.id),
        "impact": to_look_at(project.id),
        "most": MOST_SHOWN,
        "rules": selectors.rules(project.id),
    }
    return render(request, "pages/coverage.html", context)
