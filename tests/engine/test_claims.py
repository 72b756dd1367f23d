"""Asking for a lease: a full api is asked again, a silent one few times, and a doubled wake starts one turn."""

import asyncio
from collections.abc import Callable

from contracts.problem import ProblemCode
from contracts.routes.instances import Step
from contracts.vocabulary import TurnStatus
from engine.domain.failures import ApiProblem, ServiceUnreachable
from engine.runtime.asking import MAX_SILENCES, AskAgain
from engine.runtime.gate import MAX_CLAIMS, Gate
from engine.runtime.worker import Worker
from tests.engine.fake_api import FakeApi, Refused


def claims_of(api: FakeApi) -> list[str]:
    return [key for name, key in api.requests if name == "claim"]


async def test_a_claim_that_the_api_has_no_room_for_is_asked_again_and_not_lost(api: FakeApi, worker: Worker) -> None:
    api.faults["claim"] = [Refused(ProblemCode.UNAVAILABLE)] * 4
    api.say("um")
    await worker.look(api.instance_id)
    assert api.ends == [(TurnStatus.COMPLETED, None)]
    assert len(claims_of(api)) == 5
    assert len(set(claims_of(api))) == 1


async def test_any_other_refusal_ends_the_asking(api: FakeApi, worker: Worker) -> None:
    api.faults["claim"] = [Refused(ProblemCode.NOT_FOUND)]
    api.say("um")
    await worker.look(api.instance_id)
    assert (len(claims_of(api)), api.ends) == (1, [])


def test_a_silent_api_is_asked_three_times_and_a_full_one_patiently() -> None:
    """Silence may mean that the lease was given: the same id asks for that one, but not for ever."""
    again, full = AskAgain(), ApiProblem(Refused(ProblemCode.UNAVAILABLE).problem)
    answers = [again(error) for error in (full, ServiceUnreachable(""), full, ServiceUnreachable(""), full)]
    assert answers == [True] * 5
    assert not again(ServiceUnreachable(""))
    assert MAX_SILENCES == 3


async def test_a_doubled_wake_starts_one_turn_on_one_worker(api: FakeApi, worker: Worker) -> None:
    api.faults["claim"] = [Refused(ProblemCode.UNAVAILABLE)]
    api.say("um")
    await asyncio.gather(*(worker.look(api.instance_id) for _ in range(5)))
    assert [started.taken for started in api.of_type("turn.started")] == [(1,)]


async def test_a_doubled_wake_starts_one_turn_on_two_workers(api: FakeApi, make_worker: Callable[[], Worker]) -> None:
    workers = [make_worker(), make_worker()]
    api.say("um")
    await asyncio.gather(*(each.look(api.instance_id) for each in workers for _ in range(3)))
    assert [started.taken for started in api.of_type("turn.started")] == [(1,)]
    assert api.ends == [(TurnStatus.COMPLETED, None)]


async def test_a_crowd_claims_a_few_at_a_time(api: FakeApi) -> None:
    gate, most, inside = Gate(), 0, 0

    async def claim() -> None:
        nonlocal most, inside
        async with gate.claiming():
            inside += 1
            most = max(most, inside)
            await asyncio.sleep(0.001)
            inside -= 1

    await asyncio.gather(*(claim() for _ in range(50)))
    assert most == MAX_CLAIMS


async def test_a_turn_of_one_answer_is_two_steps(api: FakeApi, worker: Worker) -> None:
    """Its taking and its first decision are saved together: nothing outside happens between them."""
    api.say("um")
    await worker.look(api.instance_id)
    called = [name for name, _ in api.requests if name in ("claim", "step", "stream_turn", "release")]
    assert called == ["claim", "step", "stream_turn", "step", "release"]
    assert [started.taken for started in api.of_type("turn.started")] == [(1,)]


async def test_a_message_that_is_taken_back_while_its_turn_is_decided_begins_no_turn(
    api: FakeApi, worker: Worker
) -> None:
    def take_back(_: Step) -> None:
        api.log[:] = [event.model_copy(update={"to_agent": None}) for event in api.log]

    api.say("um")
    api.before_step = take_back
    await worker.look(api.instance_id)
    assert [name for name, _ in api.requests if name in ("claim", "step", "stream_turn")] == ["claim", "step"]
    assert (api.of_type("turn.started"), api.turn_id, api.worker) == ([], None, None)
