"""One rule with what it rests on and what rests on it."""

from collections.abc import Iterable
from uuid import UUID

from api.rooms.agent_sessions import selectors as log
from api.rooms.backlog import selectors
from api.rooms.backlog.cards import QuoteCard, RulePage
from api.rooms.backlog.domain import codes
from api.rooms.backlog.models import Rule, RuleWording
from api.rooms.backlog.services.quoting import hash_of, said_in
from api.rooms.kernel.refusals import not_found
from contracts.artifacts import BusinessRule, Quote
from contracts.events import LogEvent

AROUND_CHARS = 160


def rule_page(project_id: UUID, code: str) -> RulePage:
    """Raises Refusal (`not_found`). A merged rule can still be read."""
    rules = Rule.objects.select_related("merged_into").filter(project_id=project_id)
    row = rules.filter(number=codes.number_of(code, codes.RULE)).first()
    if row is None:
        raise not_found("rule")
    wordings = log.events_by_id(RuleWording.objects.filter(rule=row).values_list("event_id", flat=True))
    stories = selectors.stories_citing(row.id)
    card = selectors.rule_card(row, tuple(story.code for story in stories))
    merged_into = row.merged_into.code if row.merged_into else ""
    return RulePage(card, merged_into, wordings, quotes_of(wordings), stories)


def quotes_of(wordings: Iterable[LogEvent]) -> tuple[QuoteCard, ...]:
    """All that any wording rests on, each span once, in the order in which it was said."""
    quotes = {
        quote: event.session_id
        for event in wordings
        if isinstance(event.payload, BusinessRule)
        for quote in event.payload.quotes
    }
    messages = {event.id: event for event in log.events_by_id(quote.event_id for quote in quotes)}
    cards = [_card(quote, session_id, messages.get(quote.event_id)) for quote, session_id in quotes.items()]
    order = {event_id: place for place, event_id in enumerate(messages)}
    return tuple(sorted(cards, key=lambda card: (order.get(card.event_id, -1), card.start)))


def _card(quote: Quote, session_id: UUID, message: LogEvent | None) -> QuoteCard:
    """A message that is not there any more leaves no text, and what is quoted of it is not intact."""
    said = said_in(message) if message else ""
    text = said[quote.start : quote.end]
    return QuoteCard(
        event_id=quote.event_id,
        session_id=session_id,
        seq=quote.seq,
        start=quote.start,
        end=quote.end,
        sha256=quote.sha256,
        text=text,
        before=said[max(0, quote.start - AROUND_CHARS) : quote.start],
        after=said[quote.end : quote.end + AROUND_CHARS],
        is_intact=hash_of(text) == quote.sha256,
    )
