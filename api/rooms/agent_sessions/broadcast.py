"""Hints for the open sockets of one session (law 8)."""

import json
from typing import Any
from uuid import UUID

from api.rooms.kernel import hints


def group_of(session_id: UUID) -> str:
    return f"session.{session_id}"


def event(session_id: UUID, canonical: str) -> None:
    """A committed event, as its canonical text."""
    _send(session_id, f'{{"kind":"event","event":{canonical}}}')


def hint(session_id: UUID, message: dict[str, Any]) -> None:
    """Live text, a retry notice, or any other ephemeral message."""
    _send(session_id, json.dumps(message))


def _send(session_id: UUID, text: str) -> None:
    hints.publish(group_of(session_id), {"type": "session.message", "text": text})
