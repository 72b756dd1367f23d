"""Hold a call's worst case, keep the hold alive, give it back when nothing was sent."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import connection, transaction

from api.rooms.budgets.domain.metering import HoldKey
from api.rooms.budgets.domain.places import Place
from api.rooms.budgets.domain.reservation import Admitted, OverLimit, Unpriced, decide
from api.rooms.budgets.models import Hold
from api.rooms.budgets.services import nodes
from api.rooms.kernel import statements
from contracts.limits import HOLD_MS

INSERT_SQL = """
INSERT INTO budgets_hold (id, instance_id, step, call, attempt, session_id, project_id, workspace_id,
                          amount_micros, is_unpriced, status, booked_micros, created_at, expires_at)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, 'open', 0, now(), now() + %s * interval '1 millisecond')
ON CONFLICT (instance_id, step, call, attempt) DO NOTHING
"""
RENEW_SQL = """
UPDATE budgets_hold SET expires_at = now() + %s * interval '1 millisecond' WHERE id = %s AND status = 'open'
"""


TAKE_SQL = """
SELECT id, instance_id, workspace_id, project_id, session_id, amount_micros, is_unpriced, status, booked_micros
FROM budgets_hold WHERE id = %s AND status = ANY(%s) FOR NO KEY UPDATE
"""
END_SQL = "UPDATE budgets_hold SET status = %s, booked_micros = GREATEST(booked_micros, %s) WHERE id = %s"


@dataclass(frozen=True)
class TakenHold:
    """A hold whose row this transaction has locked."""

    id: UUID
    instance_id: UUID
    workspace_id: UUID
    project_id: UUID
    session_id: UUID
    amount_micros: int
    is_unpriced: bool
    status: str
    booked_micros: int


@dataclass(frozen=True)
class Held:
    """`is_new` is false when the key already had a hold: the first one stands."""

    hold_id: UUID
    amount_micros: int
    is_new: bool


@transaction.atomic(savepoint=False)
def reserve(hold_id: UUID, key: HoldKey, place: Place, amount_micros: int | None) -> Held | OverLimit | Unpriced:
    """Reserve before a call. A refusal leaves nothing behind; `amount_micros` is null for an unpriced model."""
    if not _insert(hold_id, key, place, amount_micros):
        first = Hold.objects.get(instance_id=key.instance_id, step=key.step, call=key.call, attempt=key.attempt)
        return Held(first.id, first.amount_micros, is_new=False)
    decision = decide(nodes.lock(place), amount_micros)
    if not isinstance(decision, Admitted):
        Hold.objects.filter(id=hold_id).delete()
        return decision
    nodes.move(place, 0, decision.amount_micros)
    return Held(hold_id, decision.amount_micros, is_new=True)


def _insert(hold_id: UUID, key: HoldKey, place: Place, amount_micros: int | None) -> bool:
    ids = (place.session_id, place.project_id, place.workspace_id)
    if None in ids:
        raise ValueError("a hold belongs to a session")
    values = [hold_id, key.instance_id, key.step, key.call, key.attempt, *ids]
    with connection.cursor() as cursor:
        cursor.execute(INSERT_SQL, [*values, amount_micros or 0, amount_micros is None, HOLD_MS])
        return bool(cursor.rowcount)


@transaction.atomic(savepoint=False)
def release(hold_id: UUID) -> bool:
    """Give the amount back: only when provably nothing was sent. False when the hold was no longer open."""
    hold = take(hold_id, Hold.OPEN)
    if hold is None:
        return False
    nodes.lock(place_of(hold))
    nodes.move(place_of(hold), 0, -hold.amount_micros)
    end(hold_id, Hold.RELEASED)
    return True


def take(hold_id: UUID, *statuses: str) -> TakenHold | None:
    """The hold under lock, when it is in one of these."""
    found = statements.row(TAKE_SQL, [hold_id, list(statuses)])
    return TakenHold(*found) if found else None


def end(hold_id: UUID, status: str, booked_micros: int = 0) -> None:
    """Of a hold that was taken."""
    statements.changed(END_SQL, [status, booked_micros, hold_id])


def place_of(hold: TakenHold) -> Place:
    return Place(hold.workspace_id, hold.project_id, hold.session_id)


def renew(hold_ids: Sequence[UUID]) -> None:
    """Keep the holds of living calls from expiring; one statement each, since batches of row locks deadlock."""
    with connection.cursor() as cursor:
        for hold_id in hold_ids:
            cursor.execute(RENEW_SQL, [HOLD_MS, hold_id])
