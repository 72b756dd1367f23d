"""Who dies too often is given up, who was forgotten is found."""

from datetime import timedelta
from uuid import UUID

import pytest
from django.db.models.functions import Now

from api.rooms.agents import services as agents
from api.rooms.agents.models import Instance
from api.rooms.kernel.ids import new_id
from api.rooms.outbox.models import Wake
from api.rooms.turns import services as turns
from api.rooms.turns.models import Turn
from contracts.events import AgentError
from contracts.failures import ErrorCode, FailureOrigin
from contracts.limits import MAX_DEATHS_PER_CAUSE
from contracts.routes.instances import Claim, ClaimAnswer, Lease
from tests.factories.conversation import events_of, say, texts_of, types_of
from tests.factories.places import Place
from tests.factories.races import together
from tests.factories.workers import Worker, claimed, expire_lease, instance_of, lose_wakes, running


def die(instance_id: UUID) -> Lease | None:
    """The worker is gone and another one claims."""
    expire_lease(instance_id)
    return Worker(instance_id).claim()


def test_the_third_death_on_the_same_step_ends_the_turn_and_holds_the_agent(place: Place) -> None:
    """Poison: interrupted, origin infra, and nobody is fed to it again."""
    say(place)
    worker = running(place.session_id)
    leases = [die(worker.instance_id) is not None for _ in range(MAX_DEATHS_PER_CAUSE)]
    assert leases == [True, True, False]
    row = instance_of(place.session_id)
    assert (row.is_held, row.turn_id, row.lease_worker) == (True, None, None)
    assert types_of(place.session_id)[-2:] == ["agent.error", "turn.ended"]
    error = events_of(place.session_id)[-2].payload
    assert isinstance(error, AgentError)
    assert (error.origin, error.code) == (FailureOrigin.INFRA, ErrorCode.WORKER_LOST)
    turn = Turn.objects.get(id=worker.turn_id)
    assert (turn.status, turn.reason) == ("interrupted", "worker_lost")


def test_deaths_on_different_steps_do_not_add_up(place: Place) -> None:
    say(place)
    worker = running(place.session_id)
    for _ in range(MAX_DEATHS_PER_CAUSE + 1):
        assert die(worker.instance_id) is not None
        heir = Worker(worker.instance_id)
        expire_lease(worker.instance_id)
        assert heir.claim() is not None
        heir.save(heir.next_step())
        assert heir.release()


def test_a_message_revives_an_agent_that_was_given_up(place: Place) -> None:
    say(place)
    worker = running(place.session_id)
    for _ in range(MAX_DEATHS_PER_CAUSE):
        die(worker.instance_id)
    assert Worker(worker.instance_id).claim() is None
    say(place, "Are you there?")
    lease = Worker(worker.instance_id).claim()
    assert lease is not None
    assert (texts_of(lease.inbox), lease.turn) == (["Are you there?"], None)


def test_a_continue_revives_an_agent_that_was_given_up(place: Place) -> None:
    say(place)
    worker = running(place.session_id)
    for _ in range(MAX_DEATHS_PER_CAUSE):
        die(worker.instance_id)
    continued = turns.continue_turn(place.session_id, place.user_id)
    lease = Worker(worker.instance_id).claim()
    assert lease is not None
    assert lease.inbox == (continued,)


def woken() -> list[UUID]:
    return list(Wake.objects.values_list("instance_id", flat=True))


@pytest.mark.parametrize("reaps", [True, False])
def test_the_sweep_finds_a_wake_that_was_lost(place: Place, reaps: bool) -> None:
    say(place)
    lose_wakes()
    assert agents.sweep(reaps=reaps) == 1
    assert woken() == [instance_of(place.session_id).id]


@pytest.mark.parametrize("reaps", [True, False])
def test_the_sweep_reaps_a_dead_workers_lease_only_when_it_may(place: Place, reaps: bool) -> None:
    """After an outage every lease has run out although its worker lives: let it renew first."""
    say(place)
    worker = running(place.session_id)
    lose_wakes()
    expire_lease(worker.instance_id)
    assert agents.sweep(reaps=reaps) == int(reaps)
    assert woken() == ([worker.instance_id] if reaps else [])


def test_the_sweep_leaves_a_live_worker_alone(place: Place) -> None:
    say(place)
    running(place.session_id)
    lose_wakes()
    assert agents.sweep(reaps=True) == 0


def test_the_sweep_does_not_repeat_itself_each_second(place: Place) -> None:
    say(place)
    lose_wakes()
    assert [agents.sweep(reaps=True), agents.sweep(reaps=True)] == [1, 0]


def seconds_ago(seconds: float) -> None:
    Instance.objects.update(swept_at=Now() - timedelta(seconds=seconds))
    Wake.objects.all().delete()


def test_a_wake_on_its_way_is_not_doubled_by_the_sweep(place: Place) -> None:
    say(place)
    Wake.objects.all().delete()  # delivered: the engine has it
    assert agents.sweep(reaps=True) == 0
    seconds_ago(2.1)
    assert agents.sweep(reaps=True) == 1


def test_who_waits_in_a_crowd_is_woken_ever_more_seldom_until_it_is_claimed(place: Place) -> None:
    """Two seconds, four, eight, eight: what waits in a worker's queue must not be doubled again and again."""
    say(place)
    for pause in (2, 4, 8, 8):
        seconds_ago(pause - 0.5)
        assert agents.sweep(reaps=True) == 0
        seconds_ago(pause + 0.5)
        assert agents.sweep(reaps=True) == 1
    claimed(place.session_id)
    assert instance_of(place.session_id).sweeps == 0


def test_two_sweeps_at_once_wake_once(lasting: Place) -> None:
    say(lasting)
    lose_wakes()
    assert sum(found for found in together([lambda: agents.sweep(reaps=True)] * 6) if isinstance(found, int)) == 1


def test_an_answered_claim_of_nothing_says_so(place: Place) -> None:
    agents.ensure(place.session_id, "creative")
    asked = Claim(worker=new_id(), claim_id=new_id())
    assert turns.claim(instance_of(place.session_id).id, asked) == ClaimAnswer(lease=None)
