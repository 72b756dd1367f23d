"""A process of many callers: python -m tests.api.budgets.load PLAN…, each a JSON object; prints what it did for each.

The tests start several of these at once, so that locks meet across processes as they do behind a load balancer.
"""

import json
import os
import random
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from uuid import UUID

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "api.settings")
django.setup()

from django.db import close_old_connections  # noqa: E402 - after setup

from api.rooms.budgets import services as budgets  # noqa: E402
from api.rooms.budgets.domain.metering import HoldKey, Metering, Outcome  # noqa: E402
from api.rooms.budgets.domain.places import Place  # noqa: E402
from api.rooms.budgets.services import Held  # noqa: E402
from api.rooms.kernel.ids import new_id  # noqa: E402
from contracts.money import Usage  # noqa: E402


@dataclass(frozen=True)
class Plan:
    """Ids as text. `keys` are shared by all processes, so every key is fought over; each has an amount of its own."""

    workspace: str
    projects: list[str]
    sessions: list[str]
    keys: list[str]
    seed: int
    threads: int
    amount: int | None = None
    fate: str | None = None


def metering(cost: int) -> Metering:
    return Metering(
        usage=Usage(uncached_input=cost),
        cost_micros=cost,
        rates=None,
        provider="fake",
        model="fake",
        agent="creative",
        turn_id=new_id(),
        outcome=Outcome.COMPLETED,
    )


def place_of(plan: Plan, number: int) -> Place:
    """Sessions are dealt to the projects in turn."""
    at = number % len(plan.sessions)
    return Place(UUID(plan.workspace), UUID(plan.projects[at % len(plan.projects)]), UUID(plan.sessions[at]))


def one_call(plan: Plan, number: int, chance: random.Random) -> str:
    """Reserve and meet a fate: settle, settle twice, die, be booked and settle late, release."""
    instance = UUID(plan.keys[number])
    amount = plan.amount if plan.amount is not None else 50 + number % 100
    held = budgets.reserve(new_id(), HoldKey(instance, 1, 0, 1), place_of(plan, number), amount)
    if not isinstance(held, Held):
        return "refused"
    if not held.is_new:
        return "duplicate"
    actual = chance.randint(0, amount)
    fate = plan.fate or chance.choice(["settle", "settle", "twice", "die", "late", "release"])
    match fate:
        case "settle":
            budgets.settle(held.hold_id, metering(actual))
        case "twice":
            budgets.settle(held.hold_id, metering(actual))
            budgets.settle(held.hold_id, metering(amount))
            budgets.release(held.hold_id)
        case "late":
            budgets.book(held.hold_id, metering(0))
            budgets.settle(held.hold_id, metering(actual))
        case "release":
            budgets.release(held.hold_id)
            budgets.settle(held.hold_id, metering(amount))
    return fate


def run(plan: Plan) -> Counter[str]:
    def caller(number: int) -> str:
        try:
            return one_call(plan, number, random.Random(f"{plan.seed}/{number}"))
        finally:
            close_old_connections()

    order = list(range(len(plan.keys)))
    random.Random(plan.seed).shuffle(order)
    with ThreadPoolExecutor(plan.threads) as threads:
        return Counter(threads.map(caller, order))


def dump(plan: Plan) -> str:
    return json.dumps(asdict(plan))


if __name__ == "__main__":
    print(json.dumps([run(Plan(**json.loads(plan))) for plan in sys.argv[1:]]))  # noqa: T201 - this process's answer
