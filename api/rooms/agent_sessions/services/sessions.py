"""Open, rename, lock, move and close sessions."""

from dataclasses import dataclass
from functools import lru_cache
from uuid import UUID

from django.db import transaction

from api.rooms.agent_sessions.domain import chain, states
from api.rooms.agent_sessions.models import Session
from api.rooms.agent_sessions.services.log import append
from api.rooms.kernel import statements
from api.rooms.kernel.clock import now
from api.rooms.kernel.ids import new_id
from api.rooms.kernel.refusals import Refusal, not_found
from api.rooms.projects.services import clean_name
from contracts.events import Actor, SessionClosed, SessionOpened
from contracts.problem import ProblemCode
from contracts.vocabulary import ActorKind, SessionKind, SessionStatus, TerminationReason

LOCK_SQL = """
SELECT session.id, project_id, workspace_id, kind, status
FROM agent_sessions_session AS session JOIN projects_project AS project ON project.id = project_id
WHERE session.id = %s AND deleted_at IS NULL FOR NO KEY UPDATE OF session
"""


HOME_SQL = """
SELECT workspace_id, project_id FROM agent_sessions_session AS session
JOIN projects_project AS project ON project.id = project_id WHERE session.id = %s
"""
REMEMBERED = 20_000


@dataclass(frozen=True)
class Home:
    """What never changes of a session."""

    workspace_id: UUID
    project_id: UUID


@dataclass(frozen=True)
class SessionFacts:
    """What is true of a locked session until the transaction ends."""

    id: UUID
    project_id: UUID
    workspace_id: UUID
    kind: SessionKind
    status: SessionStatus


def user_actor(user_id: UUID) -> Actor:
    return Actor(kind=ActorKind.USER, id=str(user_id))


@transaction.atomic
def open_session(project_id: UUID, user_id: UUID, kind: SessionKind, name: str | None = None) -> UUID:
    """The only way a session begins (RN-067); it is active at once, since no process has to start for it."""
    session_id = new_id()
    Session.objects.create(
        id=session_id,
        project_id=project_id,
        created_by_id=user_id,
        kind=kind,
        status=SessionStatus.ACTIVE,
        name=clean_name(name, "session") if name and name.strip() else None,
        head_hash=chain.genesis(session_id),
    )
    append(session_id, user_actor(user_id), SessionOpened(kind=kind))
    return session_id


def rename(session_id: UUID, name: str | None) -> None:
    """Null or blank removes the name (RN-098); no event, no history."""
    Session.objects.filter(id=session_id).update(name=clean_name(name, "session") if name and name.strip() else None)


class Locking:
    """A lock of a session that was sent, alone or together with what comes after it."""

    def __init__(self, session_id: UUID) -> None:
        self._answer = statements.send(LOCK_SQL, [session_id])

    def facts(self) -> SessionFacts:
        """Raises Refusal (`not_found`)."""
        row = self._answer.row()
        if row is None:
            raise not_found("session")
        return SessionFacts(row[0], row[1], row[2], SessionKind(row[3]), SessionStatus(row[4]))


def lock(session_id: UUID) -> SessionFacts:
    """First of all locks: session → instance → handoff or action → budget leaf → budget root."""
    return Locking(session_id).facts()


@lru_cache(REMEMBERED)
def home_of(session_id: UUID) -> Home:
    """Where a session belongs for ever. Raises Refusal (`not_found`)."""
    row = statements.row(HOME_SQL, [session_id])
    if row is None:
        raise not_found("session")
    return Home(*row)


def refuse_unless_active(facts: SessionFacts) -> None:
    if not states.takes_messages(facts.status):
        raise Refusal(
            ProblemCode.SESSION_ENDED,
            f"This session is {facts.status}: open a new one to go on.",
            {"status": facts.status},
        )


def move(facts: SessionFacts, wanted: SessionStatus) -> None:
    """One step of the state machine, under the session's lock; any other pair is refused (RN-001)."""
    if not states.may_move(facts.status, wanted):
        raise Refusal(ProblemCode.INVALID_TRANSITION, f"A session that is {facts.status} cannot become {wanted}.")
    ended = now() if states.is_ended(wanted) else None
    Session.objects.filter(id=facts.id).update(status=wanted, closed_at=ended)


def close(facts: SessionFacts, by: Actor, reason: TerminationReason) -> None:
    """Closing then closed, with the reason out of a closed set; nothing is appended after it but receipts."""
    move(facts, SessionStatus.CLOSING)
    closing = SessionFacts(facts.id, facts.project_id, facts.workspace_id, facts.kind, SessionStatus.CLOSING)
    append(facts.id, by, SessionClosed(status=SessionStatus.CLOSED, reason=reason))
    move(closing, SessionStatus.CLOSED)
    Session.objects.filter(id=facts.id).update(termination_reason=reason)


def hide(session_id: UUID) -> None:
    """Nobody finds it any more; the row and its log stay. Under the session's lock, once it is closed."""
    Session.objects.filter(id=session_id).update(deleted_at=now())
