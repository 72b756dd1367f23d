"""What a tick saves of the calls that are open, and which of them somebody has closed."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from api.rooms.budgets import services as budgets
from api.rooms.gateway.domain.attempts import CallStatus
from api.rooms.gateway.models import Call
from contracts.limits import HOLD_RENEWAL_MS


@dataclass(frozen=True)
class Progress:
    """What one call has to save at a tick; `text` is null when nothing came since the last one."""

    call_id: UUID
    text: str | None
    is_due: bool
    """Its hold must be renewed."""


def save_and_look(progress: Sequence[Progress]) -> list[tuple[UUID, str]]:
    """Each row in a transaction of its own: batches of row locks deadlock. Which calls somebody has closed."""
    for call in progress:
        if call.text is not None:
            Call.objects.filter(id=call.call_id, status=CallStatus.OPEN).update(text=call.text)
    budgets.renew([call.call_id for call in progress if call.is_due])
    return closed([call.call_id for call in progress])


def closed(ids: Sequence[UUID]) -> list[tuple[UUID, str]]:
    return list(Call.objects.filter(id__in=ids, closed_at__isnull=False).values_list("id", "closed_reason"))


def is_due(renewed_at: float, at: float) -> bool:
    return at - renewed_at >= HOLD_RENEWAL_MS / 1000
