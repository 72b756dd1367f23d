"""Spend by local day and by what it was for: exact days of the zone, no day missing, one bounded query each (R13)."""

from datetime import UTC, date, datetime, timedelta
from time import perf_counter
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from api.rooms.budgets import reports
from api.rooms.budgets.domain.days import Period, latest_days
from api.rooms.budgets.models import TokenUsage
from api.rooms.kernel.ids import new_id

pytestmark = pytest.mark.usefixtures("db")

SAO_PAULO, NEW_YORK = ZoneInfo("America/Sao_Paulo"), ZoneInfo("America/New_York")
MANY = 100_000
MAX_SECONDS = 2.0
FILL = """
INSERT INTO budgets_tokenusage (
  id, hold_id, workspace_id, project_id, session_id, instance_id, turn_id, agent, provider,
  model, upstream, binding_origin, uncached_input, cache_read, cache_write, output, reasoning, is_estimated,
  cost_micros,
  is_overshot, is_rehearsal, outcome, error_code, created_at)
SELECT gen_random_uuid(), gen_random_uuid(), %s, %s,
  gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'creative',
  'fake', 'm' || n %% 7, '', '', 1, 0, 0, 1, 0, false, 5, false, false, 'completed', '', %s - n * interval '1 minute'
FROM generate_series(1, %s) n
"""


def used(workspace_id: UUID, at: datetime, cost: int | None, *, is_estimated: bool = False, model: str = "m") -> None:
    row = TokenUsage.objects.create(
        hold_id=new_id(),
        workspace_id=workspace_id,
        project_id=workspace_id,
        session_id=new_id(),
        instance_id=new_id(),
        turn_id=new_id(),
        agent="creative",
        provider="fake",
        model=model,
        cost_micros=cost,
        is_estimated=is_estimated,
        outcome="completed",
    )
    TokenUsage.objects.filter(id=row.id).update(created_at=at)


def costs(workspace_id: UUID, period: Period) -> list[tuple[str, int]]:
    days = reports.by_day(reports.usage_of_workspace(workspace_id, period), period)
    return [(day.label, day.cost_micros) for day in days]


def test_a_day_ends_at_the_zones_midnight() -> None:
    workspace = new_id()
    used(workspace, datetime(2026, 3, 11, 2, 59, 59, 999_999, UTC), 1)
    used(workspace, datetime(2026, 3, 11, 3, 0, 0, 0, UTC), 10)
    period = Period(SAO_PAULO, date(2026, 3, 10), date(2026, 3, 11))
    assert costs(workspace, period) == [("2026-03-10", 1), ("2026-03-11", 10)]


@pytest.mark.parametrize(("day", "hours"), [(date(2026, 3, 8), 23), (date(2026, 11, 1), 25), (date(2026, 6, 1), 24)])
def test_a_day_has_the_hours_that_its_clock_shows(day: date, hours: int) -> None:
    workspace, period = new_id(), Period(NEW_YORK, day, day)
    first, after = period.since.astimezone(UTC), period.until.astimezone(UTC)
    for at in (first - timedelta(microseconds=1), first, after - timedelta(microseconds=1), after):
        used(workspace, at, 1)
    assert (after - first, costs(workspace, period)) == (timedelta(hours=hours), [(day.isoformat(), 2)])


def test_days_without_a_call_are_zeros() -> None:
    period = latest_days(3, SAO_PAULO, datetime(2026, 3, 11, 1, tzinfo=UTC))
    assert costs(new_id(), period) == [("2026-03-08", 0), ("2026-03-09", 0), ("2026-03-10", 0)]


@pytest.mark.parametrize(("asked", "shown"), [(0, 1), (1, 1), (30, 30), (180, 180), (999, 180)])
def test_a_period_has_1_to_180_days(asked: int, shown: int) -> None:
    assert len(latest_days(asked, SAO_PAULO, datetime(2026, 3, 11, tzinfo=UTC)).days()) == shown


def test_unpriced_calls_are_counted_and_in_no_sum_and_estimates_are_told_apart() -> None:
    workspace, at = new_id(), datetime(2026, 3, 11, 12, tzinfo=UTC)
    used(workspace, at, 5)
    used(workspace, at, 7, is_estimated=True)
    used(workspace, at, None)
    period = Period(SAO_PAULO, at.date(), at.date())
    (day,) = reports.by_day(reports.usage_of_workspace(workspace, period), period)
    assert (day.calls, day.cost_micros, day.estimated_micros, day.unpriced_calls) == (3, 12, 7, 1)


def test_the_dearest_comes_first_and_what_is_unpriced_last() -> None:
    workspace, at = new_id(), datetime(2026, 3, 11, 12, tzinfo=UTC)
    for model, cost in (("cheap", 1), ("unpriced", None), ("dear", 9)):
        used(workspace, at, cost, model=model)
    rows = reports.usage_of_workspace(workspace, Period(SAO_PAULO, at.date(), at.date()))
    labels = [total.label for total in reports.by_field(rows, "provider", "model")]
    assert labels == ["fake/dear", "fake/cheap", "fake/unpriced"]


def test_a_hundred_thousand_calls_are_one_query_each_and_quick() -> None:
    workspace, now = new_id(), datetime(2026, 3, 11, 12, tzinfo=UTC)
    with connection.cursor() as cursor:
        cursor.execute(FILL, [workspace, workspace, now, MANY])
    period = latest_days(180, SAO_PAULO, now)
    rows = reports.usage_of_workspace(workspace, period)
    begun = perf_counter()
    with CaptureQueriesContext(connection) as queries:
        days = reports.by_day(rows, period)
        sessions = reports.by_field(rows, "session_id")
    assert (sum(day.calls for day in days), len(sessions), len(queries)) == (MANY, reports.MAX_ROWS, 2)
    assert perf_counter() - begun < MAX_SECONDS
