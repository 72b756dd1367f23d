"""The life of a session."""

from typing import Literal

from contracts.base import Message
from contracts.vocabulary import SessionKind, SessionStatus, TerminationReason


class SessionOpened(Message):
    type: Literal["session.opened"] = "session.opened"
    kind: SessionKind


class SessionClosed(Message):
    type: Literal["session.closed"] = "session.closed"
    status: SessionStatus
    reason: TerminationReason
