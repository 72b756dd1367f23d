"""Messages that could not be delivered: tried again, then dead letters until a person retries or discards them."""

from datetime import timedelta
from uuid import UUID

from django.db import connection, transaction
from django.db.models import F, Q
from django.db.models.functions import Now

from api.rooms.kernel.batches import in_batches
from api.rooms.kernel.hurry import hurry_after_commit
from api.rooms.kernel.refusals import Refusal
from api.rooms.outbox.domain import MessageState, delay_s, is_dead, state
from api.rooms.outbox.models import OutboxMessage
from contracts.failures import FailureOrigin
from contracts.problem import ProblemCode


@transaction.atomic
def message_failed(message_id: UUID, error: str, origin: FailureOrigin) -> None:
    """Due again after a delay; a dead letter after the last try, kept for an operator."""
    row = OutboxMessage.objects.select_for_update().get(id=message_id)
    row.last_error, row.last_origin, row.claimed_until = error[:2000].replace("\x00", "�"), origin, None
    if is_dead(row.attempts):
        row.dead_at = Now()
    row.save(update_fields=["last_error", "last_origin", "claimed_until", "dead_at"])
    if not is_dead(row.attempts):
        with connection.cursor() as cursor:
            cursor.execute(
                "UPDATE outbox_outboxmessage SET due_at = now() + %s * interval '1 second' WHERE id = %s",
                [delay_s(row.attempts), message_id],
            )


def _dead(message_id: UUID) -> Q:
    return Q(id=message_id, delivered_at=None, discarded_at=None) & ~Q(dead_at=None)


def _refuse_unless_one(changed: int) -> None:
    if changed != 1:
        raise Refusal(ProblemCode.INVALID_TRANSITION, "This message is no dead letter, or no longer: look again.")


def retry(message_id: UUID) -> None:
    """An operator's act on a dead letter: due at once, with a new count of attempts."""
    revived = OutboxMessage.objects.filter(_dead(message_id)).update(
        dead_at=None, attempts=0, due_at=Now(), claimed_until=None, retries=F("retries") + 1
    )
    _refuse_unless_one(revived)
    hurry_after_commit()


def discard(message_id: UUID, reason: str) -> None:
    """An operator's act on a dead letter: it is never delivered, and says why."""
    discarded = OutboxMessage.objects.filter(_dead(message_id)).update(discarded_at=Now(), discard_reason=reason)
    _refuse_unless_one(discarded)


def state_of(row: OutboxMessage) -> MessageState:
    return state(
        is_delivered=row.delivered_at is not None,
        is_dead=row.dead_at is not None,
        is_discarded=row.discarded_at is not None,
    )


IN_STATE = {
    MessageState.WAITING: Q(delivered_at=None, dead_at=None),
    MessageState.DEAD: Q(delivered_at=None, discarded_at=None) & ~Q(dead_at=None),
    MessageState.DELIVERED: ~Q(delivered_at=None),
    MessageState.DISCARDED: ~Q(discarded_at=None),
}


def in_state(wanted: MessageState) -> Q:
    return IN_STATE[wanted]


DONE_SQL = """
FROM outbox_outboxmessage
WHERE delivered_at < now() - %(age)s OR discarded_at < now() - %(age)s
"""


def prune(age: timedelta, *, is_dry: bool) -> int:
    """What was delivered or discarded longer ago than that; a dead letter waits for its person."""
    return in_batches("DELETE", "outbox_outboxmessage", "id", DONE_SQL, {"age": age}, is_dry=is_dry)
