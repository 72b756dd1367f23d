"""Budgets under 64-way load with duplicates, crashes and late settles: what must hold at every instant.

- spent + held ≤ limit at every level
- counters equal the sums of holds and rows
- a parent is the sum of its children
- one usage row for each hold, one live call for each key
- held is zero when idle
- provider calls equal holds taken
"""

import json
import os
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from uuid import UUID

import pytest
from django.db import connection

from api.rooms.budgets import services as budgets
from api.rooms.budgets.domain.places import Place
from api.rooms.budgets.models import Hold, Node, TokenUsage
from api.rooms.kernel.ids import new_id
from tests.api.budgets.load import Plan, dump, metering

PROCESSES, THREADS = 4, 16

# One statement is one snapshot: whatever it shows was true at one instant.
SNAPSHOT = """
SELECT node.kind, node.limit_micros, node.spent_micros, node.held_micros,
  (SELECT coalesce(sum(amount_micros), 0) FROM budgets_hold WHERE status = 'open'
     AND node.id IN (session_id, project_id, workspace_id)) AS held,
  (SELECT coalesce(sum(cost_micros), 0) FROM budgets_tokenusage
     WHERE node.id IN (session_id, project_id, workspace_id)) AS spent,
  (SELECT coalesce(sum(child.spent_micros), node.spent_micros) FROM budgets_node child
     WHERE child.parent_id = node.id) AS children_spent,
  (SELECT coalesce(sum(child.held_micros), node.held_micros) FROM budgets_node child
     WHERE child.parent_id = node.id) AS children_held
FROM budgets_node node
"""


def check_snapshot() -> int:
    """All invariants that one snapshot can show; how many nodes it had."""
    with connection.cursor() as cursor:
        cursor.execute(SNAPSHOT)
        rows = cursor.fetchall()
    for kind, limit, spent, held, sum_held, sum_spent, children_spent, children_held in rows:
        assert limit is None or spent + held <= limit, f"{kind}: {spent} + {held} > {limit}"
        assert (held, spent) == (sum_held, sum_spent), f"{kind}: counters differ from holds and rows"
        assert (spent, held) == (children_spent, children_held), f"{kind}: differs from the sum of its children"
    return len(rows)


def a_plan(keys: int, **changes: object) -> Plan:
    def ids(number: int) -> list[str]:
        return [str(new_id()) for _ in range(number)]

    plan = Plan(str(new_id()), ids(2), ids(4), ids(keys), seed=0, threads=THREADS)
    return replace(plan, **changes)  # type: ignore[arg-type]


def run_everywhere(plans: list[Plan], samples: list[int]) -> list[Counter[str]]:
    """The plans in all processes at once, each in its own order, while this one samples; what was done, by plan."""
    environment = {**os.environ, "MUTIRAO_DB_POOL": str(THREADS)}
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.api.budgets.load", *(dump(replace(plan, seed=seed)) for plan in plans)],
            env=environment,
            stdout=subprocess.PIPE,
            text=True,
        )
        for seed in range(PROCESSES)
    ]
    while any(process.poll() is None for process in running):
        samples.append(check_snapshot())
        time.sleep(0.02)
    done = [Counter[str]() for _ in plans]
    for process in running:
        output, _ = process.communicate()
        assert process.returncode == 0
        for total, part in zip(done, json.loads(output), strict=True):
            total.update(part)
    return done


@pytest.mark.slow
def test_every_invariant_holds_at_every_instant(committed: None) -> None:
    plan = a_plan(keys=400)
    for at, session in enumerate(plan.sessions):
        place = Place(UUID(plan.workspace), UUID(plan.projects[at % 2]), UUID(session))
        budgets.set_limit(place, 6_000)
        budgets.set_limit(replace(place, session_id=None), 10_000)
    budgets.set_limit(Place(UUID(plan.workspace)), 15_000)
    samples: list[int] = []
    (done,) = run_everywhere([plan], samples)
    assert len(samples) > 3
    taken = sum(done[fate] for fate in ("settle", "twice", "die", "late", "release"))
    assert taken == Hold.objects.count(), "provider calls equal holds taken"
    assert done["refused"] > 0, "the limit was never met: this run proves nothing"
    assert done["duplicate"] > 0, "no key was fought over: this run proves nothing"
    for hold_id in Hold.objects.filter(status=Hold.OPEN).values_list("id", flat=True):
        budgets.book(hold_id, metering(0))
    check_snapshot()
    assert TokenUsage.objects.count() == Hold.objects.exclude(status=Hold.RELEASED).count()
    assert set(Node.objects.values_list("held_micros", flat=True)) == {0}


@pytest.mark.slow
def test_64_calls_against_a_budget_that_admits_k_are_k(committed: None) -> None:
    admits = (0, 1, 7)
    plans = [a_plan(keys=64, amount=100, fate="die") for _ in admits]
    for plan, admitted in zip(plans, admits, strict=True):
        budgets.set_limit(Place(UUID(plan.workspace)), admitted * 100 + 99)
    done = run_everywhere(plans, [])
    assert [counter["die"] for counter in done] == list(admits)
    assert Hold.objects.count() == sum(admits)
    assert TokenUsage.objects.count() == 0
