"""Reading handoffs."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from api.rooms.handoffs.models import Handoff
from api.rooms.kernel.refusals import not_found
from contracts.vocabulary import HandoffStatus


@dataclass(frozen=True)
class HandoffCard:
    id: UUID
    session_id: UUID
    from_agent: str
    to_agent: str
    status: HandoffStatus
    artifact_event_id: UUID | None
    offered_at: datetime
    decided_at: datetime | None
    decided_by_name: str
    reason: str
    is_superseded: bool
    is_activation_owed: bool


def _cards(rows: Iterable[Handoff]) -> tuple[HandoffCard, ...]:
    return tuple(
        HandoffCard(
            row.id,
            row.session_id,
            row.from_agent,
            row.to_agent,
            HandoffStatus(row.status),
            row.artifact_event_id,
            row.offered_at,
            row.decided_at,
            row.decided_by.name if row.decided_by else "",
            row.reason,
            row.is_superseded,
            row.activation_owed_at is not None,
        )
        for row in rows
    )


def of_session(session_id: UUID) -> tuple[HandoffCard, ...]:
    """Oldest first."""
    return _cards(Handoff.objects.filter(session_id=session_id).select_related("decided_by").order_by("offered_at"))


def handoff(handoff_id: UUID) -> HandoffCard:
    cards = _cards(Handoff.objects.filter(id=handoff_id).select_related("decided_by"))
    if not cards:
        raise not_found("handoff")
    return cards[0]


def accepted_for(session_id: UUID, agent: str) -> UUID | None:
    """The last handoff that was accepted for this agent here, completed ones included."""
    return (
        Handoff.objects.filter(
            session_id=session_id, to_agent=agent, status__in=[HandoffStatus.ACCEPTED, HandoffStatus.COMPLETED]
        )
        .order_by("-offered_at")
        .values_list("id", flat=True)
        .first()
    )
