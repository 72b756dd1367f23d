"""Messages that fail are kept for people, who retry or discard them."""

from collections.abc import Callable
from functools import partial
from uuid import UUID

import pytest
from django.db import OperationalError
from django.db.models.functions import Now

from api.relay.delivery import Delivery
from api.rooms.kernel.refusals import Refusal
from api.rooms.outbox import services as outbox
from api.rooms.outbox.domain import MAX_ATTEMPTS
from api.rooms.outbox.models import OutboxMessage
from api.wiring import CONSUMERS
from contracts.failures import FailureOrigin
from contracts.problem import ProblemCode


def fail_until_dead() -> UUID:
    outbox.put("test", {})
    for _ in range(MAX_ATTEMPTS):
        OutboxMessage.objects.update(due_at=Now())
        (due,) = outbox.claim_messages()
        outbox.message_failed(due.id, "ValueError: no", FailureOrigin.CODE)
    return OutboxMessage.objects.get().id


def test_the_last_failure_makes_a_dead_letter_with_its_error(committed: None) -> None:
    fail_until_dead()
    row = OutboxMessage.objects.get()
    assert (row.attempts, row.last_error, row.dead_at is None, row.delivered_at) == (
        MAX_ATTEMPTS,
        "ValueError: no",
        False,
        None,
    )
    assert outbox.claim_messages() == []


def test_an_operator_retries_a_dead_letter(committed: None) -> None:
    message_id = fail_until_dead()
    outbox.retry(message_id)
    assert [(due.id, due.attempts) for due in outbox.claim_messages()] == [(message_id, 1)]
    assert OutboxMessage.objects.get().retries == 1


def test_a_discarded_message_is_not_retried(committed: None) -> None:
    message_id = fail_until_dead()
    outbox.discard(message_id, "asked by the person")
    with pytest.raises(Refusal, match="no dead letter"):
        outbox.retry(message_id)


def failing(error: Exception) -> str:
    """The origin that a delivery which fails like this leaves."""
    OutboxMessage.objects.all().delete()

    def consume(payload: dict[str, str]) -> None:
        raise error

    outbox.put("test", {})
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(CONSUMERS, "test", consume)
        Delivery().drain()
    return OutboxMessage.objects.get().last_origin


def test_a_failed_delivery_names_its_origin(committed: None) -> None:
    refusal = Refusal(ProblemCode.SESSION_ENDED, "It is closed.")
    assert [failing(error) for error in (OperationalError("away"), refusal, ValueError("ours"))] == [
        FailureOrigin.INFRA,
        FailureOrigin.POLICY,
        FailureOrigin.CODE,
    ]


def test_an_operator_discards_a_dead_letter(committed: None) -> None:
    message_id = fail_until_dead()
    outbox.discard(message_id, "asked by the person")
    row = OutboxMessage.objects.get()
    assert (row.delivered_at, row.discarded_at is None, row.discard_reason) == (None, False, "asked by the person")
    assert outbox.claim_messages() == []


@pytest.mark.parametrize("act", [outbox.retry, partial(outbox.discard, reason="asked by the person")])
def test_only_a_dead_letter_is_for_operators(committed: None, act: Callable[[UUID], None]) -> None:
    outbox.put("test", {})
    before = OutboxMessage.objects.values().get()
    with pytest.raises(Refusal, match="no dead letter"):
        act(before["id"])
    assert OutboxMessage.objects.values().get() == before
