"""Living impact: what a reworded rule makes people and agents look at, computed and never marked."""

from uuid import UUID

from api.rooms.backlog import selectors
from api.rooms.backlog.cards import Looker, StoryCard, ToLookAt
from contracts.vocabulary import StoryStatus

LOOKER_OF: dict[StoryStatus, Looker] = {
    StoryStatus.DRAFT: Looker.PRODUCT_OWNER,
    StoryStatus.READY: Looker.PERSON,
    StoryStatus.IN_PROGRESS: Looker.DEV_LEAD,
    StoryStatus.DONE: Looker.DEV_LEAD,
}
"""Whoever has the story in hand: it is written, was promoted, or is built."""


def to_look_at(project_id: UUID) -> tuple[ToLookAt, ...]:
    """Exactly the descendants of reworded and merged rules, in the backlog's order."""
    rules = {rule.code: rule for rule in selectors.rules(project_id)}
    stale = selectors.stale_stories(project_id)
    return tuple(ToLookAt(card, _looker(card), tuple(rules[code] for code in card.stale_rules)) for card in stale)


def _looker(card: StoryCard) -> Looker:
    """A person looks at a draft that waits to be promoted: the Product Owner is done with it."""
    return Looker.PERSON if card.is_proposed else LOOKER_OF[card.status]
