"""Put messages in, claim what is due, take away what was delivered. Claims commit before anything is delivered."""

import random
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import connection
from django.db.models.functions import Now

from api.rooms.kernel import statements
from api.rooms.kernel.hurry import hurry_after_commit
from api.rooms.outbox.domain import delay_s
from api.rooms.outbox.letters import discard, in_state, message_failed, prune, retry, state_of
from api.rooms.outbox.models import OutboxMessage
from contracts import story

__all__ = [
    "DueMessage",
    "DueWake",
    "claim_messages",
    "claim_wakes",
    "discard",
    "in_state",
    "message_delivered",
    "message_failed",
    "prune",
    "put",
    "retry",
    "state_of",
    "wake",
    "wake_delivered",
    "wake_failed",
]

CLAIM_S = 10
BATCH = 50


@dataclass(frozen=True)
class DueWake:
    """`claimed_until` is the claim itself: who comes late with an older one changes nothing."""

    instance_id: UUID
    agent: str
    seq: int
    attempts: int
    claimed_until: datetime
    request_id: str = ""


@dataclass(frozen=True)
class DueMessage:
    id: UUID
    type: str
    payload: dict[str, str]
    attempts: int


def put(message_type: str, payload: dict[str, str]) -> None:
    """Inside the transaction that explains the message."""
    statements.create(OutboxMessage, {"type": message_type, "payload": payload})
    hurry_after_commit()


WAKE_SQL = """
INSERT INTO outbox_wake (instance_id, agent, seq, due_at, claimed_until, attempts, request_id)
SELECT %s, %s, %s, now(), NULL, 0, %s
ON CONFLICT (instance_id) DO UPDATE
SET seq = GREATEST(outbox_wake.seq, excluded.seq), due_at = now(), claimed_until = NULL, attempts = 0,
    request_id = excluded.request_id
"""


def wake(instance_id: UUID, agent: str, seq: int) -> None:
    """One upserted row per instance; a new reason makes it due again even while a delivery is under way."""
    statements.changed(WAKE_SQL, [instance_id, agent, seq, story.current_request()])
    hurry_after_commit()


def claim_wakes() -> list[DueWake]:
    """Two relays never deliver the same claim (`claimed_until`, SKIP LOCKED)."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            UPDATE outbox_wake SET claimed_until = now() + %s * interval '1 second', attempts = attempts + 1
            WHERE instance_id IN (
                SELECT instance_id FROM outbox_wake
                WHERE due_at <= now() AND (claimed_until IS NULL OR claimed_until < now())
                ORDER BY due_at LIMIT %s FOR UPDATE SKIP LOCKED
            ) RETURNING instance_id, agent, seq, attempts, claimed_until, request_id
            """,
            [CLAIM_S, BATCH],
        )
        return [DueWake(*row) for row in cursor.fetchall()]


def wake_delivered(due: DueWake) -> None:
    """Gone, unless a newer reason upserted it meanwhile (which cleared the claim)."""
    with connection.cursor() as cursor:
        cursor.execute(
            "DELETE FROM outbox_wake WHERE instance_id = %s AND claimed_until = %s",
            [due.instance_id, due.claimed_until],
        )


def wake_failed(due: DueWake) -> None:
    """Tried again later, for ever: the sweep would find the instance anyway."""
    wait = delay_s(min(due.attempts, 4)) * random.uniform(0.5, 1.0)  # noqa: S311 - jitter, not a secret
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE outbox_wake SET claimed_until = NULL, due_at = now() + %s * interval '1 second' "
            "WHERE instance_id = %s AND claimed_until = %s",
            [wait, due.instance_id, due.claimed_until],
        )


def claim_messages() -> list[DueMessage]:
    with connection.cursor() as cursor:
        cursor.execute(
            """
            UPDATE outbox_outboxmessage
            SET claimed_until = now() + %s * interval '1 second', attempts = attempts + 1
            WHERE id IN (
                SELECT id FROM outbox_outboxmessage
                WHERE delivered_at IS NULL AND dead_at IS NULL AND due_at <= now()
                  AND (claimed_until IS NULL OR claimed_until < now())
                ORDER BY due_at LIMIT %s FOR UPDATE SKIP LOCKED
            ) RETURNING id
            """,
            [CLAIM_S, BATCH],
        )
        ids = [row[0] for row in cursor.fetchall()]
    rows = OutboxMessage.objects.filter(id__in=ids).order_by("created_at")
    return [DueMessage(row.id, row.type, row.payload, row.attempts) for row in rows]


def message_delivered(message_id: UUID) -> None:
    OutboxMessage.objects.filter(id=message_id).update(delivered_at=Now(), claimed_until=None, last_error="")
