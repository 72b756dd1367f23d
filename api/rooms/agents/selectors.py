"""Reading instances and what waits for them."""

from dataclasses import dataclass
from uuid import UUID

from api.rooms.agent_sessions import selectors as log
from api.rooms.agents.domain.inbox import waiting
from api.rooms.agents.models import Instance
from contracts.events import ChatMessageCancelled, LogEvent


@dataclass(frozen=True)
class InstanceCard:
    id: UUID
    session_id: UUID
    agent: str
    turn_id: UUID | None
    is_held: bool
    cursor_seq: int
    is_leased: bool


def instances_of(session_id: UUID) -> tuple[InstanceCard, ...]:
    rows = Instance.objects.filter(session_id=session_id).order_by("created_at")
    return tuple(
        InstanceCard(
            row.id, row.session_id, row.agent, row.turn_id, row.is_held, row.cursor_seq, row.lease_worker is not None
        )
        for row in rows
    )


def inbox(session_id: UUID, agent: str, cursor_seq: int) -> tuple[LogEvent, ...]:
    """What waits beyond the cursor, without what was taken back."""
    events = log.addressed(session_id, agent, cursor_seq)
    cancelled = frozenset(
        event.payload.message_seq for event in events if isinstance(event.payload, ChatMessageCancelled)
    )
    addressed = tuple(event for event in events if event.to_agent == agent)
    return waiting(addressed, cancelled)


def session_of(instance_id: UUID) -> UUID | None:
    return Instance.objects.filter(id=instance_id).values_list("session_id", flat=True).first()
