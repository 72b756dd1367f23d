"""End what is in flight: by a person's Stop, by a claim of another worker, and what a saved step leaves behind."""

from collections.abc import Iterable
from datetime import datetime
from uuid import UUID

from django.db import transaction

from api.rooms.gateway.domain.attempts import CallStatus
from api.rooms.gateway.domain.endings import CutReason
from api.rooms.gateway.models import Call
from api.rooms.gateway.services import losing, registry
from api.rooms.kernel import statements


def mark_stopped(turn_id: UUID, at: datetime) -> tuple[UUID, ...]:
    """In Stop's transaction, under the session's lock. The ids of the turn's open calls, for `cut` after the commit.

    Empty: nothing is in flight, and Stop writes the receipt itself.
    """
    open_calls = Call.objects.select_for_update().filter(turn_id=turn_id, status=CallStatus.OPEN).order_by("id")
    ids = tuple(open_calls.values_list("id", flat=True))
    Call.objects.filter(id__in=ids, closed_at=None).update(closed_at=at, closed_reason=CutReason.STOPPED)
    return ids


def cut(call_ids: Iterable[UUID]) -> None:
    """After the commit, from any thread: this process ends its own at once, other owners when they are told (ms)."""
    registry.cut(call_ids, CutReason.STOPPED)


def close_older(instance_id: UUID, epoch: int) -> tuple[UUID, ...]:
    """In a claim's transaction: calls of older epochs are lost and booked; their owners end them."""
    lost = losing.lose_open(instance_id, CutReason.EPOCH, epoch__lt=epoch)
    transaction.on_commit(lambda: registry.cut(lost, CutReason.EPOCH))
    return lost


FORGET_SQL = """
UPDATE gateway_call SET kept_frame = NULL WHERE instance_id = %s AND step < %s AND kept_frame IS NOT NULL
"""


def forget_kept(instance_id: UUID, before_step: int) -> None:
    """In a step's transaction: the frames that earlier steps used are not needed again."""
    statements.changed(FORGET_SQL, [instance_id, before_step])
