"""What people say and click, and what the log holds then."""

from typing import Any
from uuid import UUID

from api.rooms.agent_sessions import selectors as log
from api.rooms.kernel.ids import new_id
from api.rooms.turns import services as turns
from contracts.artifacts import BusinessRule
from contracts.events import ChatMessage, LogEvent
from tests.factories.places import Place
from tests.factories.workers import Worker, running


def say(place: Place, text: str = "Bom dia", **fields: Any) -> LogEvent:
    asked: dict[str, Any] = {"client_message_id": str(new_id())}
    return turns.send_message(place.session_id, place.user_id, text, **(asked | fields))


def events_of(session_id: UUID) -> tuple[LogEvent, ...]:
    return log.events(session_id, 0, 1_000).events


def types_of(session_id: UUID, after: int = 0) -> list[str]:
    return [event.payload.type for event in log.events(session_id, after, 1_000).events]


def head(session_id: UUID) -> int:
    return log.head_seq(session_id)


def texts_of(events: tuple[LogEvent, ...]) -> list[str]:
    """The texts of the messages among these."""
    return [event.payload.text for event in events if isinstance(event.payload, ChatMessage)]


def rule(title: str, *origin: int) -> BusinessRule:
    return BusinessRule(title=title, description="Observável.", origin=origin)


def with_rule(place: Place, title: str = "Feira aos domingos") -> Worker:
    """The person spoke and the Creative, still in its turn, recorded one rule from that."""
    message = say(place)
    worker = running(place.session_id)
    worker.emit(rule(title, message.seq))
    return worker
