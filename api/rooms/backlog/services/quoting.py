"""What a business rule rests on: spans of what people said, with a hash of the text, so that a trace can prove them."""

from collections.abc import Sequence
from hashlib import sha256
from uuid import UUID

from api.rooms.agent_sessions import selectors as log
from api.rooms.backlog.domain.quotes import span_of
from api.rooms.kernel.refusals import Refusal
from contracts.artifacts import Quote, Quoted
from contracts.events import ChatMessage, LogEvent
from contracts.problem import ProblemCode


def quotes_of(session_id: UUID, origin: Sequence[int], quoted: Sequence[Quoted]) -> tuple[Quote, ...]:
    """A message of `origin` that nothing is quoted of counts whole. Raises Refusal (`invalid_artifact`)."""
    messages = {event.seq: event for event in log.events_of_types(session_id, ("chat.message",))}
    strange = sorted({each.message for each in quoted} - set(origin))
    if strange:
        raise _refusal(f"It quotes the messages {strange}, which `origin` does not list.")
    exact = [_quote(messages[each.message], each.text) for each in quoted if each.message in messages]
    rest = [seq for seq in dict.fromkeys(origin) if seq in messages and seq not in {each.seq for each in exact}]
    found = [*exact, *(_quote(messages[seq], None) for seq in rest)]
    return tuple(sorted(found, key=lambda quote: (quote.seq, quote.start)))


def _quote(event: LogEvent, text: str | None) -> Quote:
    said = said_in(event)
    span = (0, len(said)) if text is None else span_of(said, text)
    if span is None:
        raise _refusal(f'Message {event.seq} does not say "{text}". Quote it word for word, or leave the quote out.')
    start, end = span
    return Quote(event_id=event.id, seq=event.seq, start=start, end=end, sha256=hash_of(said[start:end]))


def said_in(event: LogEvent) -> str:
    """A person's words; empty for any other event."""
    return event.payload.text if isinstance(event.payload, ChatMessage) else ""


def hash_of(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def _refusal(detail: str) -> Refusal:
    return Refusal(ProblemCode.INVALID_ARTIFACT, detail)
