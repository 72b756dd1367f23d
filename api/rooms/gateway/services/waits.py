"""What a try waits for before it asks its provider, kept on its row: whoever comes later counts down too (F28)."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from api.rooms.gateway.models import Call
from contracts.failures import ErrorCode


@dataclass(frozen=True)
class Wait:
    """`code` says how the try before it failed."""

    code: ErrorCode
    until: datetime


def note(call_id: UUID, wait: Wait) -> None:
    """In the transaction that opens the try."""
    Call.objects.filter(id=call_id).update(retry_at=wait.until, retry_code=wait.code)


def wait_of(row: Call) -> Wait | None:
    """None once something of its answer is saved, and for a first try."""
    if row.retry_at is None or row.text:
        return None
    return Wait(ErrorCode(row.retry_code), row.retry_at)
