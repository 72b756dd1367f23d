"""People accept and reject handoffs: once, with a reason, also in a crowd."""

import pytest

from api.rooms.handoffs import selectors
from api.rooms.handoffs import services as handoffs
from api.rooms.handoffs.selectors import HandoffCard
from api.rooms.kernel.ids import new_id
from api.rooms.kernel.refusals import Refusal
from api.rooms.outbox.models import Wake
from api.rooms.turns import services as turns
from api.rooms.turns.selectors import active_agent
from contracts.problem import ProblemCode
from contracts.vocabulary import HandoffStatus
from tests.api.rooms.handing import accept, offered, reject
from tests.api.rooms.refused import refusal_of
from tests.factories.conversation import events_of, head, types_of
from tests.factories.places import Place, new_person
from tests.factories.races import together
from tests.factories.roster import absent
from tests.factories.workers import Worker, instance_of


def test_accepting_begins_the_receivers_work(place: Place) -> None:
    """It becomes active, and is woken with what it takes over."""
    handoff_id, before = offered(place), head(place.session_id)
    Wake.objects.all().delete()
    card = accept(place, handoff_id)
    assert (card.status, card.is_activation_owed, card.decided_by_name) == (HandoffStatus.ACCEPTED, False, "Ana")
    assert types_of(place.session_id, before) == ["handoff.accepted", "agent.activated", "handoff.started"]
    assert active_agent(place.session_id) == "product_owner"
    receiver = instance_of(place.session_id, "product_owner")
    assert list(Wake.objects.values_list("instance_id", flat=True)) == [receiver.id]
    lease = Worker(receiver.id).claim()
    assert lease is not None
    assert lease.inbox == (events_of(place.session_id)[-1],)


def test_accepting_for_an_agent_that_has_not_arrived_is_owed(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """The handoff is accepted, an event says that its activation is owed, nobody is woken, the Creative stays."""
    absent(monkeypatch, "product_owner")
    handoff_id, before = offered(place), head(place.session_id)
    Wake.objects.all().delete()
    card = accept(place, handoff_id)
    assert (card.status, card.is_activation_owed) == (HandoffStatus.ACCEPTED, True)
    assert types_of(place.session_id, before) == ["handoff.accepted", "agent.activation_owed"]
    assert active_agent(place.session_id) == "creative"
    assert (Wake.objects.count(), handoffs.honour_owed()) == (0, 0)


def test_what_was_owed_begins_once_when_the_agent_arrives(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    absent(monkeypatch, "product_owner")
    handoff_id = offered(place)
    accept(place, handoff_id)
    before = head(place.session_id)
    monkeypatch.undo()
    assert (handoffs.honour_owed(), handoffs.honour_owed()) == (1, 0)
    assert types_of(place.session_id, before) == ["agent.activated", "handoff.started"]
    assert not selectors.handoff(handoff_id).is_activation_owed


def test_what_a_session_owed_when_it_ended_stays_owed(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    absent(monkeypatch, "product_owner")
    handoff_id = offered(place)
    accept(place, handoff_id)
    turns.close_session(place.session_id, place.user_id)
    monkeypatch.undo()
    assert handoffs.honour_owed() == 0
    assert selectors.handoff(handoff_id).is_activation_owed


def test_accepting_twice_is_one_acceptance(place: Place) -> None:
    handoff_id = offered(place)
    first, before = accept(place, handoff_id), head(place.session_id)
    assert accept(place, handoff_id) == first
    assert head(place.session_id) == before


def test_rejecting_what_was_accepted_names_who_and_when(place: Place) -> None:
    handoff_id = offered(place)
    card = accept(place, handoff_id)
    assert card.decided_at is not None
    refused = refusal_of(lambda: handoffs.reject(handoff_id, new_person("Bia"), "No."))
    assert refused.code is ProblemCode.ALREADY_DECIDED
    assert refused.facts == {
        "status": "accepted",
        "decided_by": "Ana",
        "decided_at": card.decided_at.isoformat(),
    }


def test_a_rejection_wakes_the_offerer_with_its_reason(place: Place) -> None:
    handoff_id = offered(place)
    Wake.objects.all().delete()
    card = reject(place, handoff_id, "  Prices are missing. ")
    assert (card.status, card.reason) == (HandoffStatus.REJECTED, "Prices are missing.")
    last = events_of(place.session_id)[-1]
    assert (last.payload.type, last.to_agent) == ("handoff.rejected", "creative")
    assert list(Wake.objects.values_list("instance_id", flat=True)) == [instance_of(place.session_id).id]
    lease = Worker(instance_of(place.session_id).id).claim()
    assert lease is not None
    assert lease.inbox == (last,)


@pytest.mark.parametrize("reason", ["", "  ", "x" * 2001, "NUL \x00", "half \ud800"])
def test_a_rejection_needs_a_reason_that_can_be_read(place: Place, reason: str) -> None:
    handoff_id = offered(place)
    assert refusal_of(lambda: reject(place, handoff_id, reason)).code is ProblemCode.INVALID_BODY
    assert selectors.handoff(handoff_id).status is HandoffStatus.OFFERED


def test_rejecting_twice_keeps_the_first_reason(place: Place) -> None:
    handoff_id = offered(place)
    first = reject(place, handoff_id, "Prices are missing.")
    assert reject(place, handoff_id, "Something else.") == first


def test_a_handoff_that_does_not_exist_is_not_found(place: Place) -> None:
    assert refusal_of(lambda: accept(place, new_id())).code is ProblemCode.NOT_FOUND


def test_a_closed_session_decides_nothing_more(place: Place) -> None:
    handoff_id = offered(place)
    turns.close_session(place.session_id, place.user_id)
    assert refusal_of(lambda: accept(place, handoff_id)).code is ProblemCode.SESSION_ENDED
    assert refusal_of(lambda: reject(place, handoff_id)).code is ProblemCode.SESSION_ENDED


def test_a_hundred_clicks_at_once_are_one_decision(lasting: Place) -> None:
    handoff_id, before = offered(lasting), head(lasting.session_id)
    acts = [lambda: accept(lasting, handoff_id), lambda: reject(lasting, handoff_id)] * 50
    results = together(acts)
    status = selectors.handoff(handoff_id).status
    assert [card.status for card in results if isinstance(card, HandoffCard)] == [status] * 50
    assert [card.code for card in results if isinstance(card, Refusal)] == [ProblemCode.ALREADY_DECIDED] * 50
    decided = {
        HandoffStatus.ACCEPTED: ["handoff.accepted", "agent.activated", "handoff.started"],
        HandoffStatus.REJECTED: ["handoff.rejected"],
    }
    assert types_of(lasting.session_id, before) == decided[status]
