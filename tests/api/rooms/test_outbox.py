"""The outbox and its relay: each claim delivered once, no wake lost, and dead letters kept for people."""

from collections.abc import Callable

import pytest
from django.db.models.functions import Now

from api.rooms.kernel.ids import new_id
from api.rooms.outbox import services as outbox
from api.rooms.outbox.domain import MAX_ATTEMPTS
from api.rooms.outbox.models import OutboxMessage, Wake
from api.rooms.outbox.services import DueWake
from tests.api.rooms.outgoing import wakes
from tests.factories.races import together


def test_relays_that_claim_at_once_share_the_wakes(committed: None) -> None:
    ids = wakes(60)
    claims = together([outbox.claim_wakes] * 6)
    claimed = [due.instance_id for claim in claims if isinstance(claim, list) for due in claim]
    assert sorted(claimed) == sorted(set(claimed))
    rest = [due.instance_id for due in outbox.claim_wakes()]
    assert set(claimed) | set(rest) == ids
    assert len(claimed) + len(rest) == 60


def test_relays_that_claim_at_once_share_the_messages(committed: None) -> None:
    for number in range(60):
        outbox.put("test", {"number": str(number)})
    claims = together([outbox.claim_messages] * 6)
    claimed = [due.payload["number"] for claim in claims if isinstance(claim, list) for due in claim]
    claimed += [due.payload["number"] for due in outbox.claim_messages()]
    assert sorted(claimed, key=int) == [str(number) for number in range(60)]


def test_a_claim_that_was_not_delivered_in_time_is_claimed_again(committed: None) -> None:
    wakes(1)
    outbox.put("test", {})
    first, message = outbox.claim_wakes()[0], outbox.claim_messages()[0]
    assert (outbox.claim_wakes(), outbox.claim_messages()) == ([], [])
    Wake.objects.update(claimed_until="2020-01-01T00:00:00Z")
    OutboxMessage.objects.update(claimed_until="2020-01-01T00:00:00Z")
    assert outbox.claim_wakes()[0].instance_id == first.instance_id
    assert outbox.claim_messages()[0].id == message.id


def test_an_instance_has_one_wake_however_many_reasons(committed: None) -> None:
    instance_id = new_id()
    for seq in (3, 9, 5):
        outbox.wake(instance_id, "creative", seq)
    assert [(due.instance_id, due.seq) for due in outbox.claim_wakes()] == [(instance_id, 9)]


def test_a_delivered_wake_is_gone(committed: None) -> None:
    wakes(1)
    outbox.wake_delivered(outbox.claim_wakes()[0])
    assert Wake.objects.count() == 0


@pytest.mark.parametrize("seq", [1, 2], ids=["the same seq", "a newer seq"])
def test_a_wake_that_is_raised_during_its_delivery_is_not_lost(committed: None, seq: int) -> None:
    wakes(1)
    due = outbox.claim_wakes()[0]
    outbox.wake(due.instance_id, "creative", seq)
    outbox.wake_delivered(due)
    assert [again.instance_id for again in outbox.claim_wakes()] == [due.instance_id]


@pytest.mark.parametrize("finish", [outbox.wake_delivered, outbox.wake_failed])
def test_a_late_relay_does_not_touch_the_claim_of_another(committed: None, finish: Callable[[DueWake], None]) -> None:
    """Raised again during the first delivery and claimed by the second relay, under the same seq."""
    wakes(1)
    late = outbox.claim_wakes()[0]
    outbox.wake(late.instance_id, "creative", 1)
    outbox.claim_wakes()
    before = Wake.objects.values().get()
    finish(late)
    assert Wake.objects.values().get() == before


def test_a_wake_is_tried_for_ever_and_never_a_dead_letter(committed: None) -> None:
    wakes(1)
    for attempt in range(1, MAX_ATTEMPTS + 4):
        Wake.objects.update(due_at=Now())
        due = outbox.claim_wakes()[0]
        assert due.attempts == attempt
        outbox.wake_failed(due)
    assert Wake.objects.filter(due_at__gt=Now(), claimed_until=None).count() == 1
