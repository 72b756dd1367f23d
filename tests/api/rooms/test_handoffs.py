"""Work that passes from one agent to the next: offered by agents, decided by people, once."""

from collections.abc import Callable
from uuid import UUID

import pytest

from api.rooms.handoffs import selectors
from api.rooms.handoffs import services as handoffs
from api.rooms.handoffs.models import Handoff
from api.rooms.handoffs.selectors import HandoffCard
from api.rooms.kernel.ids import new_id
from api.rooms.kernel.refusals import Refusal
from api.rooms.outbox.models import OutboxMessage, Wake
from api.rooms.turns import services as turns
from api.rooms.turns.selectors import active_agent
from api.wiring import CONSUMERS
from contracts.problem import ProblemCode
from contracts.routes.effects import HandoffAnswer
from contracts.vocabulary import HandoffStatus
from tests.factories.conversation import events_of, head, say, types_of, with_rule
from tests.factories.places import Place, new_person
from tests.factories.races import together
from tests.factories.workers import Worker, instance_of, running


def refusal_of(act: Callable[[], object]) -> Refusal:
    with pytest.raises(Refusal) as refused:
        act()
    return refused.value


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


def test_an_offer_is_a_row_and_an_event(place: Place) -> None:
    handoff_id = offered(place)
    event = next(event for event in events_of(place.session_id) if event.payload.type == "handoff.offered")
    assert event.payload.model_dump() == {
        "type": "handoff.offered",
        "handoff_id": handoff_id,
        "from_agent": "creative",
        "to_agent": "product_owner",
        "artifact_event_id": None,
    }
    assert [card.status for card in selectors.of_session(place.session_id)] == [HandoffStatus.OFFERED]


def test_the_same_offer_again_answers_what_the_first_did(place: Place) -> None:
    say(place)
    worker = running(place.session_id)
    assert worker.offer() == worker.offer()
    assert Handoff.objects.count() == 1


def test_another_offer_under_the_same_key_is_refused(place: Place) -> None:
    say(place)
    worker = running(place.session_id)
    worker.offer()
    asked = refusal_of(lambda: worker.offer(artifact=new_id()))
    assert asked.code is ProblemCode.IDEMPOTENCY_CONFLICT


def test_an_offer_is_about_an_artifact_of_its_own_session(place: Place) -> None:
    elsewhere = with_rule(place.another_session())
    foreign = events_of(instance_session(elsewhere))[-1].id
    worker = with_rule(place, "Another title")
    message = next(event for event in events_of(place.session_id) if event.payload.type == "chat.message")
    for artifact in (new_id(), foreign, message.id):
        assert refusal_of(lambda artifact=artifact: worker.offer(artifact=artifact)).code is ProblemCode.INVALID_HANDOFF  # type: ignore[misc]
    assert Handoff.objects.count() == 0


def instance_session(worker: Worker) -> UUID:
    from api.rooms.agents.models import Instance

    return Instance.objects.values_list("session_id", flat=True).get(id=worker.instance_id)


def test_an_offer_to_a_wrong_agent_writes_nothing(place: Place) -> None:
    say(place)
    worker, before = running(place.session_id), head(place.session_id)
    refused = refusal_of(lambda: worker.offer("qa_automation"))
    assert refused.code is ProblemCode.INVALID_HANDOFF
    assert "qa_lead" in refused.detail
    assert (Handoff.objects.count(), head(place.session_id)) == (0, before)


def test_accepting_for_an_agent_that_has_not_arrived_is_owed(place: Place) -> None:
    """The handoff is accepted, an event says that its activation is owed, nobody is woken, the Creative stays."""
    handoff_id, before = offered(place), head(place.session_id)
    Wake.objects.all().delete()
    card = accept(place, handoff_id)
    assert (card.status, card.is_activation_owed, card.decided_by_name) == (HandoffStatus.ACCEPTED, True, "Ana")
    assert types_of(place.session_id, before) == ["handoff.accepted", "agent.activation_owed"]
    assert active_agent(place.session_id) == "creative"
    assert Wake.objects.count() == 0


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
        HandoffStatus.ACCEPTED: ["handoff.accepted", "agent.activation_owed"],
        HandoffStatus.REJECTED: ["handoff.rejected"],
    }
    assert types_of(lasting.session_id, before) == decided[status]


def test_a_newer_offer_replaces_the_open_one_and_wakes_nobody(place: Place) -> None:
    older = offered(place)
    say(place)
    worker = running(place.session_id)
    Wake.objects.all().delete()
    before = head(place.session_id)
    newer: HandoffAnswer = worker.offer()
    assert types_of(place.session_id, before) == ["handoff.rejected", "handoff.offered"]
    assert Wake.objects.count() == 0
    cards = {card.id: (card.status, card.reason, card.is_superseded) for card in selectors.of_session(place.session_id)}
    assert cards == {
        older: (HandoffStatus.REJECTED, "superseded", True),
        newer.handoff_id: (HandoffStatus.OFFERED, "", False),
    }


def test_a_superseded_offer_can_be_neither_accepted_nor_rejected(place: Place) -> None:
    older = offered(place)
    say(place)
    running(place.session_id).offer()
    for decide in (accept, reject):
        refused = refusal_of(lambda decide=decide: decide(place, older))  # type: ignore[misc]
        assert refused.code is ProblemCode.ALREADY_DECIDED
        assert "a newer offer" in refused.detail


def test_a_newer_offer_leaves_what_a_person_decided(place: Place) -> None:
    older = offered(place)
    accept(place, older)
    say(place)
    running(place.session_id).offer()
    assert selectors.handoff(older).status is HandoffStatus.ACCEPTED


@pytest.mark.parametrize("agent", ["product_owner", "architect", "dev_lead"])
def test_an_agent_does_not_start_without_an_accepted_handoff(place: Place, agent: str) -> None:
    """ADR 0008."""
    asked = refusal_of(lambda: turns.start_agent(place.session_id, place.user_id, agent, has_accepted_handoff=False))
    assert (asked.code, asked.status) == (ProblemCode.HANDOFF_REQUIRED, 403)


def test_an_offer_alone_is_not_acceptance(place: Place) -> None:
    offered(place)
    assert selectors.accepted_for(place.session_id, "product_owner") is None


def test_the_creative_starts_by_command_and_once(place: Place) -> None:
    first = turns.start_agent(place.session_id, place.user_id, "creative", has_accepted_handoff=False)
    assert first is not None
    assert turns.start_agent(place.session_id, place.user_id, "creative", has_accepted_handoff=False) is None
    assert types_of(place.session_id).count("agent.activated") == 1


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
