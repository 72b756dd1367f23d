"""On the way to a brief: a rule that stands, the click, the whole run; and what a refusal said."""

from collections.abc import Callable

import pytest

from api.rooms.handoffs import services as handoffs
from api.rooms.kernel.refusals import Refusal
from contracts.events import LogEvent
from tests.factories.conversation import with_rule
from tests.factories.places import Place
from tests.factories.workers import Worker, running


def refusal_of(act: Callable[[], object]) -> Refusal:
    with pytest.raises(Refusal) as refused:
        act()
    return refused.value


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
