"""A person hands the work to whom they choose; agents' loops are capped; nothing is accepted twice."""

import pytest

from api.rooms.handoffs import selectors
from api.rooms.handoffs import services as handoffs
from contracts.artifacts.prototype import Element, NewPrototype, Screen
from contracts.auth import body_hash
from contracts.events import AgentActivated, HandoffStarted
from contracts.limits import MAX_OFFERS_OF_A_PAIR
from contracts.problem import ProblemCode
from contracts.routes.work_items import ProposePrototype, PrototypeMade
from contracts.vocabulary import HandoffStatus
from tests.api.rooms.refused import refusal_of
from tests.factories.architecture import PROTOTYPE
from tests.factories.backlog import owner, recorded
from tests.factories.conversation import events_of, types_of
from tests.factories.places import Place
from tests.factories.workers import Worker, running


def hand(place: Place, agent: str, epic: str = "") -> selectors.HandoffCard:
    return handoffs.hand_to(place.session_id, place.user_id, agent, epic)


def test_an_agent_that_is_there_begins_at_once(place: Place) -> None:
    card = hand(place, "ux_designer")
    assert (card.status, card.from_agent, card.is_activation_owed) == (HandoffStatus.ACCEPTED, "person", False)
    assert types_of(place.session_id)[-4:] == [
        "handoff.offered", "handoff.accepted", "agent.activated", "handoff.started"
    ]  # fmt: skip
    activated = [event.payload for event in events_of(place.session_id) if isinstance(event.payload, AgentActivated)]
    assert activated[-1].agent == "ux_designer"


def test_an_agent_that_has_not_arrived_is_owed(place: Place) -> None:
    assert hand(place, "dev_lead").is_activation_owed
    assert types_of(place.session_id)[-1] == "agent.activation_owed"


@pytest.mark.parametrize(
    "agent", ["nobody", "qa_automation", "infra_workflows", "task_detailing", "assistant", "secops"]
)
def test_members_of_areas_and_agents_without_an_inbox_are_refused(place: Place, agent: str) -> None:
    before = types_of(place.session_id)
    assert refusal_of(lambda: hand(place, agent)).code is ProblemCode.INVALID_HANDOFF
    assert types_of(place.session_id) == before


def test_the_story_editor_is_told_its_epic(place: Place) -> None:
    work = owner(place, "Stalls open on Sundays")
    work.epic()
    assert "Name the epic" in refusal_of(lambda: hand(place, "story_editor")).detail
    assert refusal_of(lambda: hand(place, "story_editor", "E9")).code is ProblemCode.INVALID_BACKLOG
    hand(place, "story_editor", "E1")
    started = [event.payload for event in events_of(place.session_id) if isinstance(event.payload, HandoffStarted)]
    assert started[-1].epic == "E1"


def test_what_goes_round_too_often_waits_for_a_person(place: Place) -> None:
    worker = recorded(place, "Stalls open on Sundays")
    for _ in range(MAX_OFFERS_OF_A_PAIR):
        worker.save(worker.next_step())
        handoffs.reject(worker.offer().handoff_id, place.user_id, "Not yet.")
    worker.save(worker.next_step())
    refused = refusal_of(worker.offer)
    assert (refused.code, "5 times" in refused.detail) == (ProblemCode.INVALID_HANDOFF, True)
    assert hand(place, "product_owner").status is HandoffStatus.ACCEPTED


def propose(worker: Worker, prototype: NewPrototype = PROTOTYPE) -> PrototypeMade:
    worker.save(worker.next_step())
    asked = ProposePrototype(epoch=worker.epoch, turn_id=worker.turn_id, step=worker.step, prototype=prototype)
    key = body_hash(asked.model_dump_json(exclude={"epoch"}).encode())
    made = handoffs.propose_prototype(worker.instance_id, asked, key)
    assert handoffs.propose_prototype(worker.instance_id, asked, key) == made
    return made


def designer(place: Place) -> Worker:
    hand(place, "ux_designer")
    return running(place.session_id, "ux_designer")


def test_a_prototype_is_one_artifact_and_two_offers(place: Place) -> None:
    made = propose(designer(place))
    assert (made.version, made.offered, made.failed) == (1, ("product_owner", "dev_lead"), ())
    told = types_of(place.session_id)
    assert (told.count("artifact.navigable_prototype"), told[-2:]) == (1, ["handoff.offered", "handoff.offered"])


def test_an_offer_that_fails_undoes_neither_the_other_nor_the_artifact(place: Place) -> None:
    worker = designer(place)
    for _ in range(MAX_OFFERS_OF_A_PAIR):
        propose(worker)
        for card in selectors.of_session(place.session_id):
            if card.status is HandoffStatus.OFFERED and card.to_agent == "product_owner":
                handoffs.reject(card.id, place.user_id, "Again.")
    made = propose(worker)
    assert (made.version, made.offered, [each.agent for each in made.failed]) == (6, ("dev_lead",), ["product_owner"])


def test_a_button_to_nowhere_is_refused_with_the_screens_there_are(place: Place) -> None:
    lost = PROTOTYPE.model_copy(
        update={
            "screens": (
                Screen(name="Search", description="x", elements=(Element(kind="link", label="y", goes_to="Moon"),)),
            )
        }
    )
    worker = designer(place)
    refused = refusal_of(lambda: propose(worker, lost))
    assert (refused.code, "Search" in refused.detail) == (ProblemCode.INVALID_ARCHITECTURE, True)
    assert "artifact.navigable_prototype" not in types_of(place.session_id)
