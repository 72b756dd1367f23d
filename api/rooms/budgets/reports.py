"""What was spent in a period, by local day and by what it was spent on: one grouped, bounded query for each."""

from dataclasses import replace
from uuid import UUID

from django.db.models import F, QuerySet
from django.db.models.functions import TruncDate

from api.rooms.budgets.domain.days import Period
from api.rooms.budgets.models import TokenUsage
from api.rooms.budgets.selectors import Total, sums, total_of

MAX_ROWS = 100

Rows = QuerySet[TokenUsage]


def usage_of_workspace(workspace_id: UUID, period: Period) -> Rows:
    return _within(TokenUsage.objects.filter(workspace_id=workspace_id), period)


def usage_of_project(project_id: UUID, period: Period) -> Rows:
    return _within(TokenUsage.objects.filter(project_id=project_id), period)


def _within(rows: Rows, period: Period) -> Rows:
    return rows.filter(created_at__gte=period.since, created_at__lt=period.until)


def by_day(rows: Rows, period: Period) -> tuple[Total, ...]:
    """Every day of the period, oldest first, labelled as ISO writes it; days without a call are zeros."""
    found = rows.annotate(day=TruncDate("created_at", tzinfo=period.zone)).values("day").annotate(**sums())
    known = {row["day"]: dict[str, object](row) for row in found}
    return tuple(replace(total_of("", known.get(day, {})), label=day.isoformat()) for day in period.days())


def by_field(rows: Rows, *fields: str) -> tuple[Total, ...]:
    """The MAX_ROWS that cost most, dearest first, labelled by their fields."""
    found = rows.values(*fields).annotate(**sums())
    order = (F("cost").desc(nulls_last=True), *fields)
    return tuple(
        total_of("/".join(str(row[field]) for field in fields), row) for row in found.order_by(*order)[:MAX_ROWS]
    )
