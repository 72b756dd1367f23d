"""A handoff is completed by its receiver's first completed turn."""

from uuid import UUID

from api.rooms.handoffs import selectors
from api.rooms.handoffs.models import Handoff
from api.rooms.outbox.models import OutboxMessage
from api.rooms.turns import services as turns
from api.wiring import CONSUMERS
from contracts.vocabulary import HandoffStatus
from tests.api.rooms.handing import accept, offered
from tests.factories.conversation import say, types_of
from tests.factories.places import Place
from tests.factories.workers import running


def receiving(place: Place) -> UUID:
    """A handoff that was accepted for an agent that works here: the Creative stands in for the receiver."""
    handoff_id = offered(place)
    Handoff.objects.filter(id=handoff_id).update(to_agent="creative", from_agent="architect")
    accept(place, handoff_id)
    return handoff_id


def deliver_outbox() -> None:
    for message in OutboxMessage.objects.order_by("created_at"):
        CONSUMERS[message.type](message.payload)


def work_a_turn(place: Place) -> None:
    say(place)
    worker = running(place.session_id)
    worker.answer()
    worker.release()


def test_a_handoff_is_completed_by_its_receivers_first_completed_turn_once(place: Place) -> None:
    handoff_id = receiving(place)
    work_a_turn(place)
    work_a_turn(place)
    deliver_outbox()
    deliver_outbox()
    assert selectors.handoff(handoff_id).status is HandoffStatus.COMPLETED
    assert types_of(place.session_id).count("handoff.completed") == 1


def test_a_turn_that_ended_before_the_acceptance_completes_nothing(place: Place) -> None:
    """Its message may still be on its way when the person accepts."""
    work_a_turn(place)
    handoff_id = receiving(place)
    deliver_outbox()
    assert selectors.handoff(handoff_id).status is HandoffStatus.ACCEPTED


def test_a_turn_that_began_before_the_acceptance_completes_nothing(place: Place) -> None:
    handoff_id = offered(place)
    Handoff.objects.filter(id=handoff_id).update(to_agent="creative", from_agent="architect")
    say(place)
    worker = running(place.session_id)
    accept(place, handoff_id)
    worker.answer()
    deliver_outbox()
    assert selectors.handoff(handoff_id).status is HandoffStatus.ACCEPTED


def test_a_stopped_turn_completes_nothing(place: Place) -> None:
    handoff_id = receiving(place)
    say(place)
    running(place.session_id)
    turns.stop(place.session_id, place.user_id)
    deliver_outbox()
    assert selectors.handoff(handoff_id).status is HandoffStatus.ACCEPTED


def test_accepting_a_completed_handoff_again_is_the_same_acceptance(place: Place) -> None:
    handoff_id = receiving(place)
    work_a_turn(place)
    deliver_outbox()
    assert accept(place, handoff_id).status is HandoffStatus.COMPLETED
