"""Keep a hold alive, take it under lock, give it back when nothing was sent."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import connection, transaction

from api.rooms.budgets.domain.places import Place
from api.rooms.budgets.services import nodes
from api.rooms.kernel import statements
from contracts.limits import HOLD_MS

RENEW_SQL = """
UPDATE budgets_hold SET expires_at = now() + %s * interval '1 millisecond' WHERE id = %s AND status = 'open'
"""
TAKE_SQL = """
SELECT workspace_id, project_id, session_id, amount_micros, is_unpriced
FROM budgets_hold WHERE id = %s AND status = 'open' FOR NO KEY UPDATE
"""
RELEASE_SQL = "UPDATE budgets_hold SET status = 'released' WHERE id = %s"


@dataclass(frozen=True)
class TakenHold:
    """An open hold whose row this transaction has locked."""

    workspace_id: UUID
    project_id: UUID
    session_id: UUID
    amount_micros: int
    is_unpriced: bool


@transaction.atomic(savepoint=False)
def release(hold_id: UUID) -> bool:
    """Give the amount back: only when provably nothing was sent. False when the hold was no longer open."""
    hold = take(hold_id)
    if hold is None:
        return False
    place = Place(hold.workspace_id, hold.project_id, hold.session_id)
    nodes.lock(place)
    nodes.move(place, 0, -hold.amount_micros)
    statements.changed(RELEASE_SQL, [hold_id])
    return True


def take(hold_id: UUID) -> TakenHold | None:
    """The hold under lock while it is open."""
    found = statements.row(TAKE_SQL, [hold_id])
    return TakenHold(*found) if found else None


def renew(hold_ids: Sequence[UUID]) -> None:
    """Keep the holds of living calls from expiring; one statement each, since batches of row locks deadlock."""
    with connection.cursor() as cursor:
        for hold_id in hold_ids:
            cursor.execute(RENEW_SQL, [HOLD_MS, hold_id])
