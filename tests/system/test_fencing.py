"""Two workers never both act: whoever lost the lease is refused, whatever it still believes."""

import asyncio
import threading
import time

from contracts.limits import LEASE_MS
from contracts.problem import ProblemCode
from contracts.routes.engine import Wake
from contracts.routes.instances import Lease
from tests.chaos import director
from tests.chaos.doubling import post_wake, publish, publisher
from tests.chaos.ledger import Ledger
from tests.fakes.model_server import Reply
from tests.plugins.house import BEFORE_CLAIM, House
from tests.system.person import Person
from tests.system.standin import Standin, instance_of, run
from tests.system.stopping import bound, has, requests_of
from tests.system.test_story_rest import judge, settle

RACERS = 32


def test_of_many_claims_at_once_one_gets_the_lease(house: House, person: Person, waiting: None) -> None:
    """R12: one conditional UPDATE decides; afterwards the real workers finish the work."""
    house.models.otherwise = director.answer
    talk = bound(house, person)
    talk.say("we want a street market")
    instance_id = instance_of(house, talk.session_id)

    async def race() -> list[Lease | None]:
        return list(await asyncio.gather(*(Standin(house).claim(instance_id) for _ in range(RACERS))))

    leases = [lease for lease in run(race()) if lease is not None]
    assert [lease.epoch for lease in leases] == [1]
    house.let_go(BEFORE_CLAIM)
    settle(talk)
    assert judge(house, talk) == []


def test_a_zombie_is_refused_everything_and_leaves_no_trace(house: House, person: Person, waiting: None) -> None:
    """Law 2: claimed, begun, silent past its lease; another worker goes on; then the first one comes back."""
    house.models.otherwise = director.answer
    talk = bound(house, person)
    talk.say("we want a street market")
    zombie = Standin(house)
    lease = run(zombie.claim(instance_of(house, talk.session_id)))
    assert lease is not None
    turn_id = run(zombie.take(lease))
    house.let_go(BEFORE_CLAIM)
    began = time.monotonic()
    settle(talk)
    assert time.monotonic() - began >= LEASE_MS / 1_000 - 1
    before = list(talk.events)
    refusals = run(zombie.late_writes(lease, turn_id))
    assert refusals == [ProblemCode.FENCED] * len(refusals)
    assert talk.read() == before
    assert len(requests_of(house, talk)) == 1
    assert judge(house, talk) == []


def test_stop_closes_a_call_that_is_answered_as_one_result(house: House, person: Person, waiting: None) -> None:
    """The third phase of F4: not streamed, so nothing has arrived when it is cut."""
    house.models.otherwise = lambda _: Reply(hang="before_headers")
    talk = bound(house, person)
    talk.say("we want a street market")
    standin = Standin(house)
    lease = run(standin.claim(instance_of(house, talk.session_id)))
    assert lease is not None
    turn_id = run(standin.take(lease))
    asking = threading.Thread(target=lambda: run(standin.complete(lease, turn_id)), daemon=True)
    asking.start()
    house.models.wait_for(lambda _: bool(requests_of(house, talk)))
    pressed = time.monotonic()
    assert talk.stop() == [turn_id]
    house.models.wait_for(lambda _: requests_of(house, talk)[0].closed_at is not None)
    assert (requests_of(house, talk)[0].closed_at or 0) - pressed <= 2
    talk.until(has("turn.stop_receipt"))
    asking.join(10)
    assert len(requests_of(house, talk)) == 1


def test_wakes_and_messages_that_come_five_times_are_answered_once(house: House, person: Person) -> None:
    """R11: a wake says only "look"."""
    house.models.otherwise = director.answer
    talk = bound(house, person)
    event = talk.say("we want a street market")
    wake = Wake(instance_id=instance_of(house, talk.session_id), agent="creative", seq=event.seq)
    broker = publisher(house)
    sent = sum(post_wake(house, wake) + publish(broker, str(wake.instance_id)) for _ in range(5))
    settle(talk)
    ledger = Ledger(house.plan.addresses.migration_database_url)
    calls = ledger.ask("SELECT count(*) AS n FROM gateway_call WHERE session_id = %s", talk.session_id)[0]["n"]
    assert (sent, calls, len(requests_of(house, talk))) == (10, 1, 1)
    assert judge(house, talk) == []
