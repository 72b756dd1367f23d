"""On the way to a brief: a rule that stands, the click, the whole run; and what a refusal said."""

from api.rooms.handoffs import services as handoffs
from contracts.events import LogEvent
from tests.factories.conversation import with_rule
from tests.factories.places import Place
from tests.factories.workers import Worker, running


def ready(place: Place) -> LogEvent:
    return handoffs.confirm_readiness(place.session_id, place.user_id)


def rested(place: Place, title: str = "Feira aos domingos") -> None:
    """One rule is recorded and no turn runs."""
    worker = with_rule(place, title)
    worker.answer()
    worker.release()


def in_readiness_turn(place: Place) -> Worker:
    rested(place)
    ready(place)
    return running(place.session_id)


def produced(place: Place) -> LogEvent:
    """The whole run: click, brief, offer, end."""
    ready(place)
    worker = running(place.session_id)
    brief = worker.brief().event
    worker.offer(artifact=brief.id)
    worker.answer()
    worker.release()
    return brief
