"""Heartbeats renew what is held and tell what was lost or stopped."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db.models import F

from api.rooms.agents.models import Instance
from api.rooms.turns import services as turns
from contracts.routes.workers import Heartbeat, HeartbeatAnswer, Held
from tests.factories.conversation import say
from tests.factories.places import Place
from tests.factories.workers import Worker, claimed, expire_lease, instance_of, running


def beat(worker: Worker, *held: Held) -> HeartbeatAnswer:
    return turns.heartbeat(worker.id, Heartbeat(running=held))


def listed(worker: Worker) -> Held:
    return Held(instance_id=worker.instance_id, epoch=worker.epoch, turn_id=worker.turn_id)


def test_a_heartbeat_renews_the_lease(place: Place) -> None:
    say(place)
    worker = running(place.session_id)
    Instance.objects.update(lease_expires_at=F("lease_expires_at") - timedelta(seconds=4))
    before = instance_of(place.session_id).lease_expires_at
    assert beat(worker, listed(worker)) == HeartbeatAnswer()
    after = instance_of(place.session_id).lease_expires_at
    assert before is not None
    assert after is not None
    assert after > before + timedelta(seconds=3)


def test_a_heartbeat_tells_what_was_lost(place: Place) -> None:
    say(place)
    worker = running(place.session_id)
    expire_lease(worker.instance_id)
    assert Worker(worker.instance_id).claim() is not None
    assert beat(worker, listed(worker)) == HeartbeatAnswer(lost=(worker.instance_id,))


def test_a_heartbeat_tells_what_a_person_stopped(place: Place) -> None:
    say(place)
    worker = running(place.session_id)
    turns.stop(place.session_id, place.user_id)
    assert beat(worker, listed(worker)) == HeartbeatAnswer(stopped=(worker.instance_id,))


@pytest.mark.parametrize(("held_for_s", "is_dropped"), [(4, False), (6, True)])
def test_what_a_worker_does_not_list_is_dropped_after_its_grace(
    place: Place, held_for_s: int, is_dropped: bool
) -> None:
    """A claim whose answer is on its way is not in the list yet."""
    say(place)
    worker = claimed(place.session_id)
    Instance.objects.update(lease_since=datetime.now(UTC) - timedelta(seconds=held_for_s))
    beat(worker)
    assert (instance_of(place.session_id).lease_worker is None) is is_dropped


def test_a_heartbeat_touches_no_other_workers_lease(place: Place) -> None:
    say(place)
    worker = claimed(place.session_id)
    Instance.objects.update(lease_since=datetime.now(UTC) - timedelta(seconds=60))
    assert beat(Worker(worker.instance_id, epoch=worker.epoch), listed(worker)) == HeartbeatAnswer(
        lost=(worker.instance_id,)
    )
    assert instance_of(place.session_id).lease_worker == worker.id
