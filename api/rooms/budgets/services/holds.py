"""Keep a hold alive, take it under lock, give it back when nothing was sent."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import connection, transaction

from api.rooms.budgets.domain.places import Place
from api.rooms.budgets.models import Hold
from api.rooms.budgets.services import nodes
from api.rooms.kernel import statements
from contracts.limits import HOLD_MS

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
