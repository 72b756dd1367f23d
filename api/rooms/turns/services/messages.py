"""A person says something, or takes a queued message back."""

from uuid import UUID

from django.db import transaction

from api.rooms.agent_sessions import selectors as log
from api.rooms.agent_sessions import services as agent_sessions
from api.rooms.agent_sessions.services import SessionFacts
from api.rooms.agent_sessions.services.sessions import user_actor
from api.rooms.agents import selectors as inboxes
from api.rooms.agents import services as agents
from api.rooms.agents.services.instances import of_session
from api.rooms.kernel import statements
from api.rooms.kernel.refusals import Refusal, not_found
from api.rooms.turns.domain.addressee import Nobody, addressee
from api.rooms.turns.models import SentMessage
from api.rooms.turns.selectors import active_agent
from api.rooms.turns.services.ending import agent_actor, error_event
from api.rooms.turns.services.starting import activate
from contracts.auth import body_hash
from contracts.events import ChatMessage, ChatMessageCancelled, LogEvent
from contracts.failures import ErrorCode
from contracts.limits import MAX_MESSAGE_CHARS, MAX_QUEUED_MESSAGES
from contracts.problem import ProblemCode

QUEUE_FULL = Refusal(
    ProblemCode.QUEUE_FULL,
    f"{MAX_QUEUED_MESSAGES} messages wait already: let the agent answer, or cancel one of them.",
)


SENT_SQL = "SELECT text_hash, event_id FROM turns_sentmessage WHERE session_id = %s AND client_message_id = %s"


def send_message(
    session_id: UUID, user_id: UUID, text: str, client_message_id: str, to_agent: str | None = None
) -> LogEvent:
    """Queued for the agent that answers here; the same client id again answers with the first event."""
    if not text.strip() or len(text) > MAX_MESSAGE_CHARS:
        raise Refusal(
            ProblemCode.INVALID_BODY, f"A message has 1 to {MAX_MESSAGE_CHARS} characters.", {"field": "text"}
        )
    with transaction.atomic():
        session = agent_sessions.lock(session_id)
        sent = _sent_before(session_id, client_message_id, text)
        if sent is not None:
            return sent
        agent_sessions.refuse_unless_active(session)
        agent = _addressee(session, user_id, to_agent)
        if not _is_queue_full(session, agent):
            message = ChatMessage(text=text, client_message_id=client_message_id)
            return _deliver(session, user_id, agent, message)
        # Refused by name and durably: the event must be committed before the refusal is raised.
        agent_sessions.append(session_id, agent_actor(agent), error_event(ErrorCode.QUEUE_FULL))
    raise QUEUE_FULL


def _sent_before(session_id: UUID, client_message_id: str, text: str) -> LogEvent | None:
    row = statements.row(SENT_SQL, [session_id, client_message_id])
    if row is None:
        return None
    text_hash, event_id = row
    if text_hash != body_hash(text.encode()):
        raise Refusal(
            ProblemCode.MESSAGE_ID_REUSED, "This client_message_id was used for another text: make a new one."
        )
    return log.event(session_id, event_id)


def _addressee(session: SessionFacts, user_id: UUID, asked_for: str | None) -> str:
    chosen = addressee(session.kind, active_agent(session.id), asked_for)
    if isinstance(chosen, Nobody):
        raise Refusal(
            ProblemCode.AGENT_UNAVAILABLE,
            f"{chosen.agent} is not active here: leave `to_agent` out, or name the active agent or `assistant`.",
            {"agent": chosen.agent},
        )
    if chosen.activates:
        activate(session, user_id, chosen.agent)
    return chosen.agent


def _is_queue_full(session: SessionFacts, agent: str) -> bool:
    instances = of_session(session, agent)
    if not instances:
        return False
    waiting = inboxes.inbox(session.id, agent, instances[0].cursor_seq)
    return sum(isinstance(event.payload, ChatMessage) for event in waiting) >= MAX_QUEUED_MESSAGES


def _deliver(session: SessionFacts, user_id: UUID, agent: str, message: ChatMessage) -> LogEvent:
    """Log, inbox, wake and the client's id, under the session's lock."""
    event = agents.deliver(session.id, user_actor(user_id), message, agent, lifts_hold=True)
    row = {
        "session_id": session.id,
        "client_message_id": message.client_message_id,
        "text_hash": body_hash(message.text.encode()),
        "event_id": event.id,
    }
    statements.create(SentMessage, row)
    return event


@transaction.atomic
def cancel_message(session_id: UUID, user_id: UUID, seq: int) -> LogEvent:
    """Against its being taken: both lock the session, the first wins, a late cancel gets 409 `already_taken`."""
    session = agent_sessions.lock(session_id)
    page = log.events(session_id, seq - 1, 1).events if seq >= 1 else ()
    message = next((event for event in page if event.seq == seq), None)
    if message is None or not isinstance(message.payload, ChatMessage) or message.to_agent is None:
        raise not_found("queued message")
    for event in log.events_of_types(session_id, ("chat.message_cancelled",), after=seq):
        if isinstance(event.payload, ChatMessageCancelled) and event.payload.message_seq == seq:
            return event
    if of_session(session, message.to_agent)[0].cursor_seq >= seq:
        raise Refusal(ProblemCode.ALREADY_TAKEN, "The agent is answering this message already; Stop ends its turn.")
    return agent_sessions.append(session_id, user_actor(user_id), ChatMessageCancelled(message_seq=seq))
