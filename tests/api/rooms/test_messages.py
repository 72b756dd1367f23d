"""What a person says: who answers it, that it is said once, and how long the queue is."""

import pytest

from api.rooms.kernel.refusals import Refusal
from api.rooms.turns.models import SentMessage
from api.rooms.turns.selectors import active_agent
from contracts.events import LogEvent
from contracts.limits import MAX_MESSAGE_CHARS
from contracts.problem import ProblemCode
from contracts.vocabulary import SessionKind
from tests.api.rooms.refused import code_of
from tests.factories.conversation import events_of, say, texts_of, types_of
from tests.factories.places import Place, new_place
from tests.factories.races import together


def test_the_first_message_of_a_creative_session_activates_the_creative_and_reaches_it(place: Place) -> None:
    """RN_123."""
    message = say(place)
    assert types_of(place.session_id) == ["session.opened", "agent.activated", "chat.message"]
    assert (message.to_agent, active_agent(place.session_id)) == ("creative", "creative")


def test_the_second_message_activates_nobody_again(place: Place) -> None:
    say(place)
    say(place)
    assert types_of(place.session_id).count("agent.activated") == 1


def test_without_an_active_agent_the_assistant_answers_a_consultative_session(db: None) -> None:
    """RN_119: the roster's `assistant`, which nobody has to activate."""
    place = new_place(SessionKind.CONSULTATIVE)
    assert say(place).to_agent == "assistant"
    assert types_of(place.session_id) == ["session.opened", "chat.message"]


def test_a_person_may_prefer_the_assistant_to_the_active_agent(place: Place) -> None:
    say(place)
    assert say(place, to_agent="assistant").to_agent == "assistant"
    assert active_agent(place.session_id) == "creative"


@pytest.mark.parametrize("agent", ["product_owner", "dev-billing", "nobody"])
def test_an_agent_that_is_not_active_cannot_be_spoken_to(place: Place, agent: str) -> None:
    say(place)
    with pytest.raises(Refusal) as refused:
        say(place, to_agent=agent)
    assert code_of(refused) is ProblemCode.AGENT_UNAVAILABLE


@pytest.mark.parametrize("text", ["", "  \n", "x" * (MAX_MESSAGE_CHARS + 1)])
def test_a_message_has_one_to_ten_thousand_characters(place: Place, text: str) -> None:
    with pytest.raises(Refusal) as refused:
        say(place, text)
    assert code_of(refused) is ProblemCode.INVALID_BODY
    assert types_of(place.session_id) == ["session.opened"]


def test_the_longest_message_is_taken_as_it_is(place: Place) -> None:
    text = "á" * MAX_MESSAGE_CHARS
    assert texts_of((say(place, text),)) == [text]


def test_the_same_client_message_id_with_the_same_text_is_the_same_event(place: Place) -> None:
    """F23: a resend after a lost answer says nothing twice."""
    first = say(place, "Bom dia", client_message_id="m1")
    assert say(place, "Bom dia", client_message_id="m1") == first
    assert types_of(place.session_id).count("chat.message") == 1


def test_a_client_message_id_is_one_per_session_not_one_per_world(place: Place) -> None:
    other = place.another_session()
    assert say(place, client_message_id="m1").session_id == place.session_id
    assert say(other, client_message_id="m1").session_id == other.session_id


def test_the_same_client_message_id_with_another_text_is_refused_and_writes_nothing(place: Place) -> None:
    say(place, "Bom dia", client_message_id="m1")
    before = events_of(place.session_id)
    with pytest.raises(Refusal) as refused:
        say(place, "Boa tarde", client_message_id="m1")
    assert code_of(refused) is ProblemCode.MESSAGE_ID_REUSED
    assert events_of(place.session_id) == before


def test_twenty_sends_of_one_message_at_once_are_one_event(lasting: Place) -> None:
    sent = together([lambda: say(lasting, "Bom dia", client_message_id="m1")] * 20)
    assert {event.id for event in sent if isinstance(event, LogEvent)} == {sent[0].id}  # type: ignore[union-attr]
    assert len(sent) == 20
    assert types_of(lasting.session_id) == ["session.opened", "agent.activated", "chat.message"]
    assert SentMessage.objects.count() == 1
