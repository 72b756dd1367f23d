"""Everything a joining socket must be sent, read in one database thread."""

from uuid import UUID

from api.rooms.accounts.selectors import is_active
from api.rooms.agent_sessions import selectors as log
from api.rooms.agent_sessions.selectors import RawPage
from api.rooms.gateway import selectors as gateway
from api.rooms.gateway.selectors import LiveCall
from api.rooms.kernel.refusals import Refusal
from api.surfaces import access
from contracts.vocabulary import Role

PIECE_BYTES = 128 * 1024
"""What waits in memory for one socket that may be slow; the log keeps the rest (R8)."""


def may_watch(user_id: UUID, session_id: UUID) -> bool:
    """Asked at the handshake and again on a timer: rights can end while a socket is open."""
    try:
        access.session(user_id, session_id, Role.VIEWER)
    except Refusal:
        return False
    return is_active(user_id)


def piece(session_id: UUID, after: int, limit: int) -> RawPage:
    return log.raw_piece(session_id, after, limit, PIECE_BYTES)


def head(session_id: UUID) -> int:
    return log.head_seq(session_id)


def live(session_id: UUID) -> list[dict[str, object]]:
    """Of every stream that is open now the text so far, or the word that its provider is waited for (F28)."""
    return [_said(call) | _about(call) for call in gateway.live_texts(session_id)]


def _said(call: LiveCall) -> dict[str, object]:
    if call.wait is not None and not call.text:
        return {"kind": "notice", "code": call.wait.code.value, "retry_at": call.wait.until.isoformat()}
    return {"kind": "live", "text": call.text}


def _about(call: LiveCall) -> dict[str, object]:
    return {"turn_id": str(call.turn_id), "agent": call.agent, "call": call.call, "attempt": call.attempt}
