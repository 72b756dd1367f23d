"""What was spent in a workspace or a project: by day, agent, model and session, also as a file."""

import csv
from dataclasses import dataclass
from uuid import UUID
from zoneinfo import ZoneInfo

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from api.rooms.agent_sessions import selectors as agent_sessions
from api.rooms.budgets import reports
from api.rooms.budgets.domain.days import DEFAULT_DAYS, MAX_DAYS, Period, latest_days
from api.rooms.budgets.selectors import Total
from api.rooms.projects.selectors import ProjectCard, WorkspaceCard, projects_of
from api.surfaces import access
from api.surfaces.web.chart import HEIGHT, MARK, WIDTH, chart
from api.surfaces.web.pages.people import PersonRequest, for_people
from contracts.vocabulary import Role

PERIODS = (7, 30, 90, 180)
COLUMNS = ("day", "calls", "input_tokens", "output_tokens", "usd_micros", "estimated_usd_micros", "unpriced_calls")


@dataclass(frozen=True)
class Scope:
    """Where the page was opened: a workspace, or one project of it."""

    workspace: WorkspaceCard
    project: ProjectCard | None
    period: Period

    def usage(self) -> reports.Rows:
        if self.project:
            return reports.usage_of_project(self.project.id, self.period)
        return reports.usage_of_workspace(self.workspace.id, self.period)


@for_people
@require_safe
def of_workspace(request: PersonRequest, workspace_id: UUID) -> HttpResponse:
    workspace = access.workspace(request.user.id, workspace_id, Role.VIEWER)
    return _answer(request, Scope(workspace, None, _period(request, workspace)))


@for_people
@require_safe
def of_project(request: PersonRequest, project_id: UUID) -> HttpResponse:
    project = access.project(request.user.id, project_id, Role.VIEWER)
    workspace = access.workspace(request.user.id, project.workspace_id, Role.VIEWER)
    return _answer(request, Scope(workspace, project, _period(request, workspace)))


def _period(request: PersonRequest, workspace: WorkspaceCard) -> Period:
    """Nonsense in the address shows the usual period."""
    asked = request.GET.get("days", "")
    count = int(asked) if asked.isascii() and asked.isdigit() and len(asked) <= len(str(MAX_DAYS)) else DEFAULT_DAYS
    return latest_days(count, ZoneInfo(workspace.time_zone), timezone.now())


def _answer(request: PersonRequest, scope: Scope) -> HttpResponse:
    return _file(scope) if request.GET.get("as") == "csv" else _page(request, scope)


def _page(request: PersonRequest, scope: Scope) -> HttpResponse:
    rows = scope.usage()
    days = reports.by_day(rows, scope.period)
    context = {
        "workspace": scope.workspace,
        "project": scope.project,
        "periods": PERIODS,
        "shown_days": len(days),
        "chart": chart(days),
        "width": WIDTH,
        "height": HEIGHT,
        "mark": MARK,
        "cost_micros": sum(day.cost_micros for day in days),
        "estimated_micros": sum(day.estimated_micros for day in days),
        "unpriced_calls": sum(day.unpriced_calls for day in days),
        "calls": sum(day.calls for day in days),
        "by_agent": reports.by_field(rows, "agent"),
        "by_model": reports.by_field(rows, "provider", "model"),
        "by_place": _places(request, scope, rows),
    }
    return render(request, "pages/spend.html", context)


def _places(request: PersonRequest, scope: Scope, rows: reports.Rows) -> list[tuple[str, str, Total]]:
    """(id, name, total): sessions of a project, or projects of a workspace; what was deleted has no name."""
    if scope.project:
        names = {str(card.id): card.label for card in agent_sessions.sessions_of(scope.project.id)}
        totals = reports.by_field(rows, "session_id")
    else:
        names = {str(card.id): card.name for card in projects_of(request.user.id)}
        totals = reports.by_field(rows, "project_id")
    return [(total.label, names.get(total.label, ""), total) for total in totals]


def _file(scope: Scope) -> HttpResponse:
    """Days and whole numbers alone: no text that a person wrote, so no cell can be a formula."""
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="spend-{scope.period.first}-{scope.period.last}.csv"'
    table = csv.writer(response)
    table.writerow(COLUMNS)
    for day in reports.by_day(scope.usage(), scope.period):
        usage = day.usage
        read = usage.uncached_input + usage.cache_read + usage.cache_write
        figures = (read, usage.output, day.cost_micros, day.estimated_micros, day.unpriced_calls)
        table.writerow((day.label, day.calls, *figures))
    return response
