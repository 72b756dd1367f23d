"""Offers that wait, and decisions on them."""

from uuid import UUID

from api.rooms.handoffs import services as handoffs
from api.rooms.handoffs.selectors import HandoffCard
from tests.factories.conversation import say
from tests.factories.places import Place
from tests.factories.workers import running


def offered(place: Place) -> UUID:
    """An open offer of the Creative to the Product Owner."""
    say(place)
    worker = running(place.session_id)
    handoff_id = worker.offer().handoff_id
    worker.answer()
    worker.release()
    return handoff_id


def accept(place: Place, handoff_id: UUID) -> HandoffCard:
    return handoffs.accept(handoff_id, place.user_id)


def reject(place: Place, handoff_id: UUID, reason: str = "Prices are missing.") -> HandoffCard:
    return handoffs.reject(handoff_id, place.user_id, reason)
