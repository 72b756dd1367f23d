"""Reading sessions and their log."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from api.rooms.agent_sessions.models import Session, SessionEvent
from api.rooms.kernel import statements
from api.rooms.kernel.refusals import not_found
from contracts.events import LogEvent
from contracts.vocabulary import SessionKind, SessionStatus


@dataclass(frozen=True)
class SessionCard:
    id: UUID
    project_id: UUID
    name: str | None
    kind: SessionKind
    status: SessionStatus
    created_at: datetime
    last_event_at: datetime
    last_seq: int

    @property
    def label(self) -> str:
        return self.name or f"#{str(self.id)[-8:]}"


@dataclass(frozen=True)
class EventsPage:
    events: tuple[LogEvent, ...]
    has_more: bool
    head_seq: int


@dataclass(frozen=True)
class RawPage:
    """Canonical texts, ready to be sent as they are."""

    texts: tuple[str, ...]
    has_more: bool
    head_seq: int


def _card(row: Session) -> SessionCard:
    return SessionCard(
        row.id,
        row.project_id,
        row.name,
        SessionKind(row.kind),
        SessionStatus(row.status),
        row.created_at,
        row.last_event_at,
        row.next_seq - 1,
    )


def sessions_of(project_id: UUID) -> tuple[SessionCard, ...]:
    """Last used first."""
    rows = Session.objects.filter(project_id=project_id, deleted_at=None).order_by("-last_event_at")
    return tuple(_card(row) for row in rows)


def session(session_id: UUID) -> SessionCard:
    row = Session.objects.filter(id=session_id, deleted_at=None).first()
    if row is None:
        raise not_found("session")
    return _card(row)


def head_seq(session_id: UUID) -> int:
    """The seq of the last event; 0 when there is none."""
    next_seq = Session.objects.filter(id=session_id).values_list("next_seq", flat=True).first()
    return (next_seq or 1) - 1


def raw_events(session_id: UUID, after: int, limit: int) -> RawPage:
    """Total and stable paging by seq (F2): a page is what lies strictly beyond `after`."""
    rows = list(
        SessionEvent.objects.filter(session_id=session_id, seq__gt=after)
        .order_by("seq")
        .values_list("canonical", flat=True)[: limit + 1]
    )
    return RawPage(tuple(rows[:limit]), len(rows) > limit, head_seq(session_id))


PIECE_SQL = """
SELECT canonical FROM (
    SELECT canonical, sum(octet_length(canonical)) OVER (ORDER BY seq) - octet_length(canonical) AS bytes_before
    FROM (SELECT seq, canonical FROM session_events WHERE session_id = %s AND seq > %s ORDER BY seq LIMIT %s) AS page
) AS sized WHERE bytes_before < %s
"""


def raw_piece(session_id: UUID, after: int, limit: int, max_bytes: int) -> RawPage:
    """As much of a page as `max_bytes` hold, and at least one event: for readers that nobody may wait for."""
    texts = tuple(text for (text,) in statements.rows(PIECE_SQL, [session_id, after, limit, max_bytes]))
    head = head_seq(session_id)
    return RawPage(texts, bool(texts) and after + len(texts) < head, head)


def events(session_id: UUID, after: int, limit: int) -> EventsPage:
    page = raw_events(session_id, after, limit)
    return EventsPage(tuple(LogEvent.model_validate_json(text) for text in page.texts), page.has_more, page.head_seq)


def events_of_types(session_id: UUID, types: tuple[str, ...], after: int = 0) -> tuple[LogEvent, ...]:
    rows = SessionEvent.objects.filter(session_id=session_id, type__in=types, seq__gt=after).order_by("seq")
    return tuple(LogEvent.model_validate_json(text) for text in rows.values_list("canonical", flat=True))


def last_of_types(session_id: UUID, types: tuple[str, ...]) -> tuple[LogEvent, ...]:
    """The last event of each type, in seq order: as quick in a long log as in a short one."""
    found = (last_of_type(session_id, event_type) for event_type in types)
    return tuple(sorted((event for event in found if event is not None), key=lambda event: event.seq))


LAST_SQL = "SELECT canonical FROM session_events WHERE session_id = %s AND type = %s ORDER BY seq DESC LIMIT 1"


def last_of_type(session_id: UUID, event_type: str) -> LogEvent | None:
    row = statements.row(LAST_SQL, [session_id, event_type])
    return LogEvent.model_validate_json(row[0]) if row else None


def event(session_id: UUID, event_id: UUID) -> LogEvent | None:
    row = SessionEvent.objects.filter(session_id=session_id, id=event_id).first()
    return LogEvent.model_validate_json(row.canonical) if row else None


def events_by_id(event_ids: Iterable[UUID]) -> tuple[LogEvent, ...]:
    """Of whichever sessions, in the order in which they happened; what is not there is left out."""
    rows = SessionEvent.objects.filter(id__in=list(event_ids)).order_by("created_at", "seq")
    return tuple(LogEvent.model_validate_json(text) for text in rows.values_list("canonical", flat=True))


def session_of_event(event_id: UUID) -> UUID | None:
    return SessionEvent.objects.filter(id=event_id).values_list("session_id", flat=True).first()


INBOX_SQL = """
SELECT canonical FROM session_events
WHERE session_id = %s AND seq > %s AND (to_agent = %s OR type = 'chat.message_cancelled') ORDER BY seq
"""


def addressed(session_id: UUID, agent: str, after: int) -> tuple[LogEvent, ...]:
    """The inbox beyond a cursor, messages that were taken back and the words that took them back included."""
    return tuple(
        LogEvent.model_validate_json(text) for (text,) in statements.rows(INBOX_SQL, [session_id, after, agent])
    )


def project_artifacts(project_id: UUID, event_type: str) -> tuple[LogEvent, ...]:
    """Artifacts of a type over all sessions of a project."""
    rows = SessionEvent.objects.filter(session__project_id=project_id, type=event_type).order_by("created_at", "seq")
    return tuple(LogEvent.model_validate_json(text) for text in rows.values_list("canonical", flat=True))
