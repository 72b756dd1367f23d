"""Work that passes from one agent to the next: offered by agents, decided by people, once."""

from uuid import UUID

from api.rooms.handoffs import selectors
from api.rooms.handoffs.models import Handoff
from api.rooms.kernel.ids import new_id
from contracts.problem import ProblemCode
from contracts.vocabulary import HandoffStatus
from tests.api.rooms.handing import offered
from tests.api.rooms.refused import refusal_of
from tests.factories.conversation import events_of, head, say, with_rule
from tests.factories.places import Place
from tests.factories.workers import Worker, running


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
