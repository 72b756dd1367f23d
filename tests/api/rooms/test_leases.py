"""The lease: one effective worker per instance, whatever dies and whoever comes late."""

from api.rooms.agents import services as agents
from api.rooms.kernel.ids import new_id
from contracts.limits import LEASE_MS
from contracts.problem import ProblemCode
from contracts.routes.instances import Lease
from tests.api.rooms.refused import refusal_code
from tests.factories.conversation import say
from tests.factories.places import Place
from tests.factories.races import together
from tests.factories.workers import Worker, expire_lease, instance_of, running


def test_a_claim_answers_with_epoch_state_turn_and_inbox(place: Place) -> None:
    message = say(place)
    lease = Worker(instance_of(place.session_id).id).claim()
    assert lease is not None
    assert (lease.epoch, lease.step, lease.state, lease.turn) == (1, 0, None, None)
    assert (lease.inbox, lease.lease_ms) == ((message,), LEASE_MS)
    assert (lease.context.agent, lease.context.project_name) == ("creative", "Feira do bairro")


def test_nothing_wanted_is_nothing_to_claim(place: Place) -> None:
    agents.ensure(place.session_id, "creative")
    assert Worker(instance_of(place.session_id).id).claim() is None


def test_an_unknown_instance_is_not_found(place: Place) -> None:
    assert refusal_code(Worker(new_id()).claim) is ProblemCode.NOT_FOUND


def test_one_of_thirty_two_racing_workers_gets_the_lease(lasting: Place) -> None:
    say(lasting)
    instance_id = instance_of(lasting.session_id).id
    workers = [Worker(instance_id) for _ in range(32)]
    leases = [lease for lease in together([worker.claim for worker in workers]) if isinstance(lease, Lease)]
    assert [lease.epoch for lease in leases] == [1]
    assert instance_of(lasting.session_id).epoch == 1


def test_a_repeated_claim_gets_the_same_lease(place: Place) -> None:
    """Its first answer may have been lost."""
    say(place)
    worker, claim_id = Worker(instance_of(place.session_id).id), new_id()
    assert worker.claim(claim_id) == worker.claim(claim_id)
    assert instance_of(place.session_id).epoch == 1


def test_a_lease_that_ran_out_is_claimed_with_the_next_epoch(place: Place) -> None:
    say(place)
    dead = running(place.session_id)
    expire_lease(dead.instance_id)
    lease = Worker(dead.instance_id).claim()
    assert lease is not None
    assert (lease.epoch, lease.step, lease.state) == (2, 1, '{"after":1}')
    assert lease.turn is not None
    assert lease.turn.turn_id == dead.turn_id
