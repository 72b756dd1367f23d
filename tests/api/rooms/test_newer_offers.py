"""A newer offer replaces an open one, and nothing that was decided."""

import pytest

from api.rooms.handoffs import selectors
from api.rooms.outbox.models import Wake
from api.rooms.turns import services as turns
from contracts.problem import ProblemCode
from contracts.routes.effects import HandoffAnswer
from contracts.vocabulary import HandoffStatus
from tests.api.rooms.handing import accept, offered, reject
from tests.api.rooms.refused import refusal_of
from tests.factories.conversation import head, say, types_of
from tests.factories.places import Place
from tests.factories.workers import running


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
    turns.start_agent(place.session_id, place.user_id, "creative", has_accepted_handoff=False)
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
