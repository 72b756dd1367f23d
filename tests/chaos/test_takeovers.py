"""R12: thirty-two race for a lease, the winner dies with it, thirty-two race again: one at a time, and soon."""

import asyncio
import json
import time
from dataclasses import dataclass
from uuid import UUID

import pytest

from contracts.limits import LEASE_MS
from contracts.problem import ProblemCode
from contracts.routes.instances import Lease
from tests.chaos import audit, director, summary
from tests.chaos.ledger import Ledger
from tests.plugins.house import BEFORE_CLAIM, House
from tests.plugins.stack import wait_until
from tests.system.standin import Standin, instance_of, run
from tests.system.stopping import asked
from tests.system.test_story_rest import judge, settle

RACERS = 32
TAKEOVER_SECONDS = 15.0
TRY_EACH_SECONDS = 0.5
AT_ONCE = 6


@dataclass(frozen=True)
class Taken:
    """Epochs of the leases that each race gave, seconds between them, and what the dead winner's late writes met."""

    epochs: list[list[int]]
    seconds: float
    late: list[ProblemCode | None]


@pytest.mark.timeout(0)
def test_a_dead_winner_is_followed_by_one_and_its_late_writes_are_refused(
    house: House, waiting: None, request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]
) -> None:
    """`make chaos ROUNDS=…`; some sessions at once, since each waits for a lease to run out."""
    house.models.otherwise = director.answer
    talks = [asked(house) for _ in range(request.config.getoption("--rounds"))]
    instances = [instance_of(house, talk.session_id) for talk in talks]
    found = [each for at in range(0, len(talks), AT_ONCE) for each in run(_all(house, instances[at : at + AT_ONCE]))]
    house.let_go(BEFORE_CLAIM)
    for talk in talks:
        settle(talk)
    ledger = Ledger(house.plan.addresses.migration_database_url)
    wait_until(lambda: not ledger.busy(), 100, lambda: str(ledger.busy()))
    summary.RESULTS["lease_taken_over_s"] = summary.spread([each.seconds for each in found])
    with capsys.disabled():
        print(f"\n{json.dumps(summary.RESULTS['lease_taken_over_s'])}", flush=True)  # noqa: T201
    assert [each.epochs for each in found] == [[[1], [2]]] * len(talks)
    assert [set(each.late) for each in found] == [{ProblemCode.FENCED}] * len(talks)
    assert min(each.seconds for each in found) >= LEASE_MS / 1_000 - 1
    assert max(each.seconds for each in found) <= TAKEOVER_SECONDS
    assert [word for talk in talks for word in judge(house, talk)] + audit.of_house(ledger) == []


async def _all(house: House, instances: list[UUID]) -> list[Taken]:
    """One race at a time, so that each is a crowd of its own; the waiting is together."""
    racing = asyncio.Lock()
    return list(await asyncio.gather(*(_play(house, each, racing) for each in instances)))


async def _play(house: House, instance_id: UUID, racing: asyncio.Lock) -> Taken:
    async with racing:
        first = await _race(house, instance_id)
        (winner, lease), *_ = first
        turn_id = await winner.take(lease)
    began, second = time.monotonic(), list[tuple[Standin, Lease]]()
    while not second:
        await asyncio.sleep(TRY_EACH_SECONDS)
        async with racing:
            second = await _race(house, instance_id)
    seconds = time.monotonic() - began
    late = await winner.late_writes(lease, turn_id)
    return Taken([[lease.epoch for _, lease in each] for each in (first, second)], seconds, late)


async def _race(house: House, instance_id: UUID) -> list[tuple[Standin, Lease]]:
    """Whoever got the lease."""
    racers = [Standin(house) for _ in range(RACERS)]
    leases = await asyncio.gather(*(racer.claim(instance_id) for racer in racers))
    return [(racer, lease) for racer, lease in zip(racers, leases, strict=True) if lease is not None]
