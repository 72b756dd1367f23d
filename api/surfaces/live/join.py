"""Everything a joining socket must be sent, read in one database thread."""

from dataclasses import dataclass
from uuid import UUID

from api.rooms.accounts.selectors import is_active
from api.rooms.agent_sessions import selectors as log
from api.rooms.gateway import selectors as gateway
from api.rooms.kernel.refusals import Refusal
from api.surfaces import access
from contracts.limits import MAX_EVENTS_PAGE
from contracts.vocabulary import Role


@dataclass(frozen=True)
class Backlog:
    """Canonical event texts beyond `after`; `is_far`: more than a page is missing, the page must be read by HTTP."""

    texts: tuple[str, ...]
    is_far: bool
    head_seq: int


def may_watch(user_id: UUID, session_id: UUID) -> bool:
    """Asked at the handshake and again on a timer: rights can end while a socket is open."""
    try:
        access.session(user_id, session_id, Role.VIEWER)
    except Refusal:
        return False
    return is_active(user_id)


def backlog(session_id: UUID, after: int) -> Backlog:
    page = log.raw_events(session_id, after, MAX_EVENTS_PAGE)
    return Backlog(page.texts, page.has_more, page.head_seq)


def live(session_id: UUID) -> list[dict[str, object]]:
    """The text so far of every stream that is open now."""
    return [
        {
            "kind": "live",
            "turn_id": str(text.turn_id),
            "agent": text.agent,
            "call": text.call,
            "attempt": text.attempt,
            "text": text.text,
        }
        for text in gateway.live_texts(session_id)
    ]
