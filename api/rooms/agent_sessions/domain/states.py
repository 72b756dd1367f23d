"""The session's state machine (RN-001)."""

from contracts.vocabulary import SessionStatus

ALLOWED: dict[SessionStatus, frozenset[SessionStatus]] = {
    SessionStatus.CREATED: frozenset({SessionStatus.ACTIVE, SessionStatus.CLOSED_ABNORMALLY}),
    SessionStatus.ACTIVE: frozenset({SessionStatus.CLOSING, SessionStatus.CLOSED_ABNORMALLY}),
    SessionStatus.CLOSING: frozenset({SessionStatus.CLOSED, SessionStatus.CLOSED_ABNORMALLY}),
    SessionStatus.CLOSED: frozenset(),
    SessionStatus.CLOSED_ABNORMALLY: frozenset(),
}


def may_move(current: SessionStatus, wanted: SessionStatus) -> bool:
    return wanted in ALLOWED[current]


def is_ended(status: SessionStatus) -> bool:
    """A terminal session is never reopened: continuing work means a new session."""
    return not ALLOWED[status]


def takes_messages(status: SessionStatus) -> bool:
    return status is SessionStatus.ACTIVE
