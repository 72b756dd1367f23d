"""Events outside of their conversation: the history of one thing, shown with the entries of the timeline."""

from collections.abc import Iterable
from uuid import UUID

from api.rooms.accounts.selectors import names_of
from api.surfaces.web.timeline.entry import Entry
from contracts.events import LogEvent
from contracts.vocabulary import ActorKind


def told(events: Iterable[LogEvent], me: str) -> tuple[Entry, ...]:
    """In the order given; nothing can be done from here."""
    shown = tuple(events)
    people = {UUID(event.actor.id) for event in shown if event.actor.kind is ActorKind.USER}
    names = {str(user_id): name for user_id, name in names_of(people).items()} if people else {}
    return tuple(
        Entry(event, names.get(event.actor.id, ""), is_mine=event.actor.id == me, may_act=False) for event in shown
    )
