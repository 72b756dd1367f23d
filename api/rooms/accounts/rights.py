"""Whoever loses a right loses their open sockets at once: each of them is told to ask again."""

from uuid import UUID

from django.db import transaction

from api.rooms.kernel import hints

CHANGED = "rights.changed"


def group_of(user_id: UUID) -> str:
    """All open sockets of one person."""
    return f"person.{user_id}"


def changed(user_id: UUID) -> None:
    """Told after the commit. A hint may be lost: sockets ask by themselves too, every few seconds."""
    transaction.on_commit(lambda: hints.publish(group_of(user_id), {"type": CHANGED}))
