"""R13: midnight of the workspace's zone in the middle of a load: every call is in one day, and each day is exact."""

from collections import Counter
from datetime import datetime, timedelta, timezone, tzinfo
from typing import cast
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest

from api.rooms.budgets import reports
from api.rooms.budgets.domain.days import Period
from api.rooms.budgets.models import Node, TokenUsage
from tests.api.budgets.test_invariants import PROCESSES, a_plan, check_snapshot, run_everywhere

CALLS = 1_000
DAY = timedelta(days=1)


def zone_whose_midnight_is(moment: datetime) -> tzinfo:
    """So far from UTC, to the second, that its day changes at this moment."""
    since_midnight = timedelta(hours=moment.hour, minutes=moment.minute, seconds=moment.second)
    return timezone(DAY - since_midnight if since_midnight > DAY / 2 else -since_midnight)


def spent_by_hand(workspace: UUID, zone: tzinfo) -> Counter[str]:
    rows = TokenUsage.objects.filter(workspace_id=workspace).values_list("created_at", "cost_micros")
    days = Counter[str]()
    for at, cost in rows:
        days[at.astimezone(zone).date().isoformat()] += cost or 0
    return days


@pytest.mark.slow
def test_the_day_changes_in_the_middle_of_a_load_and_no_cent_is_lost_or_counted_twice(committed: None) -> None:
    plan, samples = a_plan(keys=CALLS), list[int]()
    workspace = UUID(plan.workspace)
    run_everywhere([plan], samples)
    times = sorted(TokenUsage.objects.filter(workspace_id=workspace).values_list("created_at", flat=True))
    midnight = times[len(times) // 2].replace(microsecond=0)
    zone = zone_whose_midnight_is(midnight)
    today = midnight.astimezone(zone).date()
    period = Period(cast("ZoneInfo", zone), today - DAY, today)
    rows = reports.usage_of_workspace(workspace, period)
    days = {day.label: day for day in reports.by_day(rows, period)}
    assert len(samples) > PROCESSES
    assert midnight.astimezone(zone).time().isoformat() == "00:00:00"
    assert min(day.calls for day in days.values()) > 0, "the load was not cut in two: this run proves nothing"
    assert {label: day.cost_micros for label, day in days.items()} == spent_by_hand(workspace, zone)
    assert sum(day.calls for day in days.values()) == len(times)
    assert sum(day.cost_micros for day in days.values()) == Node.objects.get(id=workspace).spent_micros
    assert check_snapshot() > 0
