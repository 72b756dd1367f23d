"""A crowd of claims is told to come back, and keeps nobody else waiting."""

import asyncio
import threading

import pytest

from api.rooms.kernel.db import Lane, in_thread
from api.rooms.kernel.refusals import Refusal
from api.surfaces.internal import instances
from contracts.problem import Problem, ProblemCode
from contracts.routes.instances import ClaimAnswer
from contracts.routes.workers import HEARTBEAT, Heartbeat
from tests.api.internal.engine import Sent, answer_to
from tests.api.internal.test_internal import claiming
from tests.factories.places import Place, new_place

PATIENCE_S = 5.0


@pytest.fixture
def place(committed: None) -> Place:
    return new_place()


class Jam:
    """Fills a lane until it is let go."""

    def __init__(self, lane: Lane) -> None:
        self._lane, self._go = lane, threading.Event()

    async def __aenter__(self) -> None:
        wait = self._lane.run(self._go.wait)
        self._inside = [asyncio.create_task(wait(PATIENCE_S)) for _ in range(self._lane.line)]
        await asyncio.sleep(0)

    async def __aexit__(self, *_: object) -> None:
        self._go.set()
        await asyncio.gather(*self._inside)


async def test_a_claim_that_finds_the_line_full_comes_back_later_and_is_not_lost(place: Place) -> None:
    claim = await in_thread(claiming)(place)
    async with Jam(instances.CLAIMS):
        refused = await answer_to(claim)
    assert refused.status == 503
    assert Problem.model_validate_json(refused.body).code is ProblemCode.UNAVAILABLE
    lease = ClaimAnswer.model_validate_json((await answer_to(claim)).body).lease
    assert lease is not None
    assert (lease.epoch, len(lease.inbox)) == (1, 1)


async def test_a_heartbeat_does_not_stand_in_the_claims_line(place: Place) -> None:
    beat = Sent("POST", HEARTBEAT.target(boot_id=str(place.user_id)), Heartbeat().model_dump_json().encode())
    async with Jam(instances.CLAIMS):
        assert (await answer_to(beat)).status == 200


async def test_who_goes_away_leaves_the_line() -> None:
    lane, go = Lane("test", threads=1, line=2), threading.Event()
    inside = [asyncio.create_task(lane.run(go.wait)(PATIENCE_S)) for _ in range(2)]
    await asyncio.sleep(0)
    with pytest.raises(Refusal):
        await lane.run(go.wait)(PATIENCE_S)
    inside[1].cancel()
    await asyncio.gather(inside[1], return_exceptions=True)
    go.set()
    assert await lane.run(go.wait)(PATIENCE_S)
    assert await inside[0]
