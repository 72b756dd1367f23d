"""Letting go of a lease loses no wake."""

from collections.abc import Callable

import pytest

from api.rooms.outbox.models import Wake
from api.rooms.turns import services as turns
from contracts.routes.instances import ReleaseAnswer
from tests.factories.conversation import say
from tests.factories.places import Place
from tests.factories.races import held_session, outcome_of
from tests.factories.workers import Worker, claimed, instance_of, running


def test_release_lets_go_when_the_inbox_is_empty(place: Place) -> None:
    say(place)
    worker = running(place.session_id)
    worker.answer()
    assert worker.release()
    row = instance_of(place.session_id)
    assert (row.lease_worker, row.lease_expires_at) == (None, None)


def test_release_fails_when_something_new_has_arrived(place: Place) -> None:
    say(place)
    worker = running(place.session_id)
    worker.answer()
    new = say(place)
    assert turns.release(worker.instance_id, worker.epoch) == ReleaseAnswer(released=False, inbox=(new,))
    assert instance_of(place.session_id).lease_worker == worker.id


def test_after_all_was_taken_back_release_lets_go_and_nothing_is_wanted(place: Place) -> None:
    message = say(place)
    worker = claimed(place.session_id)
    turns.cancel_message(place.session_id, place.user_id, message.seq)
    assert worker.release()
    assert worker.claim() is None


@pytest.mark.parametrize("is_message_first", [True, False])
def test_a_message_against_release_loses_no_wake(lasting: Place, is_message_first: bool) -> None:
    """Either release sees the message, or the message's wake finds the lease free."""
    say(lasting)
    worker = running(lasting.session_id)
    worker.answer()
    Wake.objects.all().delete()
    acts: list[Callable[[], object]] = [lambda: say(lasting, "new"), worker.release]
    with held_session(lasting.session_id) as lock:
        futures = [lock.queue(act) for act in (acts if is_message_first else acts[::-1])]
        lock.let_go()
        released = next(result for result in map(outcome_of, futures) if isinstance(result, bool))
    assert released is not is_message_first
    row = instance_of(lasting.session_id)
    assert (row.lease_worker is None) is not is_message_first
    assert row.wanted_seq > row.cursor_seq
    assert list(Wake.objects.values_list("seq", flat=True)) == [row.wanted_seq]


def test_a_worker_that_drains_hands_its_turn_over(place: Place) -> None:
    say(place)
    worker = running(place.session_id)
    Wake.objects.all().delete()
    assert worker.release()
    assert list(Wake.objects.values_list("instance_id", flat=True)) == [worker.instance_id]
    lease = Worker(worker.instance_id).claim()
    assert lease is not None
    assert lease.turn is not None
    assert (lease.turn.turn_id, instance_of(place.session_id).deaths) == (worker.turn_id, 0)
