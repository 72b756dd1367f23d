"""Structured questions: answered whole, once, and always heard (RN_162)."""

from uuid import UUID

import pytest

from api.rooms.kernel.ids import new_id
from api.rooms.kernel.refusals import Refusal
from api.rooms.turns import services as turns
from contracts.events import ChatMessage, LogEvent, Question, StructuredQuestion
from contracts.limits import MAX_QUEUED_MESSAGES
from contracts.problem import ProblemCode
from contracts.vocabulary import QuestionType
from tests.api.rooms.refused import refusal_of
from tests.factories.conversation import head, say, types_of
from tests.factories.places import Place
from tests.factories.races import together
from tests.factories.workers import COMPLETED, running

DAY = Question(id="day", label="Which day?", type=QuestionType.SELECT, options=("Saturday", "Sunday"))
HOUR = Question(id="hour", label="When?", type=QuestionType.SELECT, options=("Morning",), allow_other=True)
WHY = Question(id="why", label="Why?")
GIVEN = {"day": "Sunday", "hour": "At dawn", "why": "The bread is fresh"}


def asked(place: Place) -> UUID:
    """The Creative asked, its turn is over, and the person's turn it is."""
    say(place)
    worker = running(place.session_id)
    question = StructuredQuestion(turn_id=worker.turn_id, questions=(DAY, HOUR, WHY))
    answer = worker.save(worker.next_step(events=(question,), end=COMPLETED))
    worker.release()
    return answer.events[0].id


def answer(place: Place, question_set_id: UUID, answers: dict[str, str]) -> LogEvent:
    return turns.answer_questions(place.session_id, place.user_id, question_set_id, answers)


def test_answers_are_an_event_and_the_agents_next_message(place: Place) -> None:
    question_set_id = asked(place)
    before = head(place.session_id)
    message = answer(place, question_set_id, {**GIVEN, "unasked": "ignored"})
    assert types_of(place.session_id, before) == ["chat.structured_question_answered", "chat.message"]
    assert isinstance(message.payload, ChatMessage)
    assert message.payload.text == "1. Which day?: Sunday\n2. When?: At dawn\n3. Why?: The bread is fresh"
    assert (message.payload.question_set_id, message.to_agent) == (question_set_id, "creative")


@pytest.mark.parametrize("blank", ["", "   ", None])
def test_each_question_needs_an_answer_and_the_missing_are_named(place: Place, blank: str | None) -> None:
    question_set_id = asked(place)
    before = head(place.session_id)
    answers = {key: text for key, text in {**GIVEN, "hour": blank, "why": blank}.items() if text is not None}
    refused = refusal_of(lambda: answer(place, question_set_id, answers))
    assert (refused.code, refused.facts["missing"]) == (ProblemCode.INVALID_BODY, "hour, why")
    assert head(place.session_id) == before


def test_a_closed_list_takes_only_its_options(place: Place) -> None:
    question_set_id = asked(place)
    refused = refusal_of(lambda: answer(place, question_set_id, {**GIVEN, "day": "Monday"}))
    assert (refused.code, refused.facts["outside"]) == (ProblemCode.INVALID_BODY, "day")


def test_questions_are_answered_once(place: Place) -> None:
    question_set_id = asked(place)
    answer(place, question_set_id, GIVEN)
    assert refusal_of(lambda: answer(place, question_set_id, GIVEN)).code is ProblemCode.ALREADY_ANSWERED


def test_ten_answers_at_once_are_one(lasting: Place) -> None:
    question_set_id = asked(lasting)
    before = head(lasting.session_id)
    results = together([lambda: answer(lasting, question_set_id, GIVEN)] * 10)
    assert [result.code for result in results if isinstance(result, Refusal)] == [ProblemCode.ALREADY_ANSWERED] * 9
    assert types_of(lasting.session_id, before) == ["chat.structured_question_answered", "chat.message"]


def test_answers_are_never_refused_for_a_full_queue(place: Place) -> None:
    question_set_id = asked(place)
    for _ in range(MAX_QUEUED_MESSAGES):
        say(place)
    assert answer(place, question_set_id, GIVEN).to_agent == "creative"


def test_answers_that_are_too_long_together_write_neither_half(place: Place) -> None:
    question_set_id = asked(place)
    before = head(place.session_id)
    refused = refusal_of(lambda: answer(place, question_set_id, {**GIVEN, "why": "x" * 50_000}))
    assert refused.code is ProblemCode.INVALID_BODY
    assert head(place.session_id) == before


def test_a_message_cannot_take_the_place_of_the_answer(place: Place) -> None:
    """A client may use any id for its own messages."""
    question_set_id = asked(place)
    say(place, client_message_id=f"answer-{question_set_id}")
    assert answer(place, question_set_id, GIVEN).to_agent == "creative"


def test_what_is_no_set_of_questions_of_this_session_is_not_found(place: Place) -> None:
    other = place.another_session()
    message = say(place)
    for event_id in (new_id(), message.id, asked(other)):
        refused = refusal_of(lambda event_id=event_id: answer(place, event_id, GIVEN))  # type: ignore[misc]
        assert refused.code is ProblemCode.NOT_FOUND


def test_an_ended_session_takes_no_answers(place: Place) -> None:
    question_set_id = asked(place)
    turns.close_session(place.session_id, place.user_id)
    assert refusal_of(lambda: answer(place, question_set_id, GIVEN)).code is ProblemCode.SESSION_ENDED
