"""Who writes in a backlog, and in which log it is told."""

from dataclasses import dataclass
from uuid import UUID

from api.rooms.agent_sessions import services as agent_sessions
from api.rooms.backlog.models import StoryEvent
from contracts.events import Actor, AnyEvent, LogEvent


@dataclass(frozen=True)
class Writer:
    """The session is locked already, before the backlog (the order of all locks): an agent's own, or the one in which
    what a person changes was born."""

    session_id: UUID
    project_id: UUID
    actor: Actor

    def tell(self, payload: AnyEvent) -> LogEvent:
        """In the same transaction as the row."""
        event = agent_sessions.append(self.session_id, self.actor, payload)
        note(event)
        return event


def note(event: LogEvent) -> None:
    """An event that tells of a story is found again from the story."""
    story_id = getattr(event.payload, "story_id", None)
    if story_id is not None:
        StoryEvent.objects.create(event_id=event.id, story_id=story_id, session_id=event.session_id)
