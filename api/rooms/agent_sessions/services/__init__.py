"""The door of the room: open and close sessions, append to their log."""

from api.rooms.agent_sessions.services.log import append, insert_event, refuse_addressed
from api.rooms.agent_sessions.services.sessions import (
    Home,
    Locking,
    SessionFacts,
    close,
    hide,
    home_of,
    lock,
    move,
    open_session,
    refuse_unless_active,
    rename,
)

__all__ = [
    "Home",
    "Locking",
    "SessionFacts",
    "append",
    "close",
    "hide",
    "home_of",
    "insert_event",
    "lock",
    "move",
    "open_session",
    "refuse_addressed",
    "refuse_unless_active",
    "rename",
]
