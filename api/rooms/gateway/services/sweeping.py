"""Each second, for owners that died: book what nobody renewed, and write the papers of a Stop nobody answered."""

from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.db.models.functions import Now

from api.rooms.budgets import selectors as budget_selectors
from api.rooms.budgets import services as budgets
from api.rooms.gateway.domain.attempts import CallStatus
from api.rooms.gateway.domain.endings import CutReason
from api.rooms.gateway.models import Call
from api.rooms.gateway.services import losing, stop_receipts

MAX_A_SWEEP = 50
ANSWERED_WITHIN = timedelta(seconds=5)
"""Owners look each second: one that has not answered a Stop by now is dead."""


def sweep() -> int:
    """How many calls were ended; one for each transaction, since batches of locks deadlock."""
    return sum(
        end(call_id) for call_id in dict.fromkeys((*_unanswered(), *budget_selectors.expired_holds(MAX_A_SWEEP)))
    )


def _unanswered() -> tuple[UUID, ...]:
    rows = Call.objects.filter(
        status=CallStatus.OPEN, closed_reason=CutReason.STOPPED, closed_at__lt=Now() - ANSWERED_WITHIN
    )
    return tuple(rows.order_by("closed_at").values_list("id", flat=True)[:MAX_A_SWEEP])


@transaction.atomic
def end(call_id: UUID) -> int:
    """One call, as spent at its worst; 0 when it has ended already. An operator may ask for it before it is due."""
    session_id = Call.objects.filter(id=call_id).values_list("session_id", flat=True).first()
    if session_id is None:
        return 0
    is_readable = stop_receipts.lock(session_id)
    row = Call.objects.select_for_update().filter(id=call_id, status=CallStatus.OPEN).first()
    if row is None:
        return 0
    if row.closed_reason != CutReason.STOPPED:
        losing.lose(row, CutReason.EXPIRED)
        return 1
    Call.objects.filter(id=call_id).update(status=CallStatus.LOST, ended_at=Now())
    budgets.book(call_id, losing.booking(row))
    if is_readable:
        stop_receipts.write(call_id)
    return 1
