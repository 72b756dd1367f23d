"""What one showing of a session needs, read with a number of queries that does not depend on its length."""

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from api.rooms.accounts.selectors import names_of
from api.rooms.agent_sessions import selectors as log
from api.rooms.agent_sessions.selectors import EventsPage
from api.rooms.handoffs import selectors as handoffs
from api.rooms.handoffs.selectors import HandoffCard
from api.rooms.turns.selectors import Conversation, conversation
from api.surfaces.web.timeline.entry import Entry, Offer, RuleLink
from api.surfaces.web.timeline.ledger import LATER_TYPES, Ledger
from api.surfaces.web.timeline.touched import MUTABLE_TYPES, touched_by
from contracts.events import LogEvent
from contracts.vocabulary import ActorKind

TAIL = 80
PAGE = 200


@dataclass(frozen=True)
class Reading:
    """`first` and `through` are the seqs between which the entries lie; `renewed` are earlier ones that changed."""

    entries: tuple[Entry, ...]
    renewed: tuple[Entry, ...]
    first: int
    through: int
    has_more: bool
    conversation: Conversation
    rules: tuple[RuleLink, ...]
    offers: tuple[Offer, ...]
    owed: tuple[HandoffCard, ...]

    @property
    def has_earlier(self) -> bool:
        return self.first > 1


@dataclass(frozen=True)
class Reader:
    """The person who reads: what is theirs, and whether they may act."""

    id: UUID
    may_act: bool


def tail(session_id: UUID, last_seq: int, reader: Reader) -> Reading:
    """The end of the session, as a page first shows it."""
    return _reading(session_id, max(0, last_seq - TAIL), PAGE, reader)


def after(session_id: UUID, seq: int, reader: Reader) -> Reading:
    """What came beyond `seq`, and what it changed before it."""
    return _reading(session_id, seq, PAGE, reader, with_renewed=True)


def before(session_id: UUID, seq: int, reader: Reader) -> Reading:
    """The page that ends just before `seq`."""
    start = max(0, seq - 1 - TAIL)
    return _reading(session_id, start, max(0, seq - 1 - start), reader)


def _reading(session_id: UUID, start: int, limit: int, reader: Reader, *, with_renewed: bool = False) -> Reading:
    page = log.events(session_id, start, limit) if limit else EventsPage(events=(), has_more=False, head_seq=start)
    talk = conversation(session_id)
    cards = handoffs.of_session(session_id)
    renewed = _renewed(session_id, page.events, start) if with_renewed else ()
    ledger = Ledger(
        me=str(reader.id),
        may_act=reader.may_act,
        later=log.events_of_types(session_id, LATER_TYPES),
        names=_names((*page.events, *renewed)),
        waiting=frozenset(event.seq for event in talk.queued) if talk.running or talk.is_held else frozenset(),
        handoffs={card.id: card for card in cards},
    )
    return Reading(
        entries=ledger.entries(page.events),
        renewed=ledger.entries(renewed),
        first=page.events[0].seq if page.events else start + 1,
        through=page.events[-1].seq if page.events else start,
        has_more=page.has_more,
        conversation=talk,
        rules=ledger.rules,
        offers=ledger.offers,
        owed=tuple(card for card in cards if card.is_activation_owed),
    )


def _renewed(session_id: UUID, events: tuple[LogEvent, ...], through: int) -> tuple[LogEvent, ...]:
    touched = touched_by(events)
    if touched.after is None or not through:
        return ()
    candidates = log.events_of_types(session_id, MUTABLE_TYPES, after=touched.after)
    return tuple(event for event in candidates if event.seq <= through and touched.includes(event))


def _names(events: Iterable[LogEvent]) -> dict[str, str]:
    ids = {UUID(event.actor.id) for event in events if event.actor.kind is ActorKind.USER}
    return {str(user_id): name for user_id, name in names_of(ids).items()} if ids else {}
