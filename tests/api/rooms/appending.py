"""One more event of the log."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.db import transaction

from api.rooms.agent_sessions import services as agent_sessions
from contracts.artifacts import Note
from contracts.events import Actor, LogEvent
from contracts.vocabulary import ActorKind

SYSTEM = Actor(kind=ActorKind.SYSTEM, id="test")


def append(session_id: UUID, body: str = "x") -> LogEvent:
    with transaction.atomic():
        return agent_sessions.append(session_id, SYSTEM, Note(title="Note", body=body))


Harm = Callable[[Any, UUID], object]
"""What is done to a log of ten by somebody who may do everything: a superuser with triggers switched off."""
