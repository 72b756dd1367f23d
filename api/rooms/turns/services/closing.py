"""A session is closed, or closed and hidden: its turns stop first, and the reason is recorded."""

from functools import partial
from uuid import UUID

from django.db import transaction

from api.rooms.agent_sessions import services as agent_sessions
from api.rooms.agent_sessions.domain import states
from api.rooms.agent_sessions.services.sessions import user_actor
from api.rooms.gateway import services as gateway
from api.rooms.turns.services.stopping import stop_locked
from contracts.vocabulary import TerminationReason


def close_session(session_id: UUID, user_id: UUID) -> None:
    """Closing an ended session again changes nothing."""
    with transaction.atomic():
        session = agent_sessions.lock(session_id)
        if states.is_ended(session.status):
            return
        _, calls = stop_locked(session, user_actor(user_id))
        agent_sessions.close(session, user_actor(user_id), TerminationReason.NORMAL)
        transaction.on_commit(partial(gateway.cut, calls))


@transaction.atomic
def hide_session(session_id: UUID, user_id: UUID) -> None:
    """Closed first; the pages and the routes then know it no more, and its log stays whole."""
    close_session(session_id, user_id)
    agent_sessions.hide(session_id)
