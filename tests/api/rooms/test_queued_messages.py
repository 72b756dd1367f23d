"""Messages that wait: how many, for whom, taken back or taken, and the wake that comes with each."""

from uuid import UUID

import pytest
from django.db import transaction

from api.rooms.agents.models import Instance
from api.rooms.agents.selectors import inbox
from api.rooms.kernel.refusals import Refusal
from api.rooms.outbox.models import Wake
from api.rooms.turns import services as turns
from api.rooms.turns.models import SentMessage
from contracts.events import AgentError, LogEvent
from contracts.failures import ErrorCode, FailureOrigin
from contracts.limits import MAX_QUEUED_MESSAGES
from contracts.problem import ProblemCode
from tests.api.rooms.refused import code_of
from tests.factories.conversation import events_of, say, texts_of, types_of
from tests.factories.places import Place
from tests.factories.races import held_session, outcome_of, together
from tests.factories.workers import claimed, instance_of, running


def test_ten_messages_wait_and_the_eleventh_is_refused_durably(place: Place) -> None:
    """The queue that replaces RN_578: a named 409, a durable error of origin policy, and no `chat.message`."""
    for number in range(MAX_QUEUED_MESSAGES):
        say(place, f"{number}")
    with pytest.raises(Refusal) as refused:
        say(place, "one too many", client_message_id="m11")
    assert code_of(refused) is ProblemCode.QUEUE_FULL
    last = events_of(place.session_id)[-1]
    assert last.payload == AgentError(origin=FailureOrigin.POLICY, code=ErrorCode.QUEUE_FULL)
    assert last.actor.id == "creative"
    assert types_of(place.session_id).count("chat.message") == MAX_QUEUED_MESSAGES
    assert not SentMessage.objects.filter(client_message_id="m11").exists()


def test_twelve_at_once_fill_ten_places(lasting: Place) -> None:
    say(lasting, to_agent="assistant")
    sent = together([lambda n=n: say(lasting, f"{n}") for n in range(12)])  # type: ignore[misc]
    refused = [result.code for result in sent if isinstance(result, Refusal)]
    assert refused == [ProblemCode.QUEUE_FULL] * 2
    assert len(inbox(lasting.session_id, "creative", 0)) == MAX_QUEUED_MESSAGES


def test_a_message_that_was_taken_or_taken_back_leaves_its_place(place: Place) -> None:
    messages = [say(place, f"{number}") for number in range(MAX_QUEUED_MESSAGES)]
    turns.cancel_message(place.session_id, place.user_id, messages[4].seq)
    say(place, "in the place of the cancelled one")
    worker = claimed(place.session_id)
    worker.take(*(event.seq for event in worker.inbox[:3]))
    for number in range(3):
        say(place, f"in the place of the taken {number}")
    with pytest.raises(Refusal) as refused:
        say(place)
    assert code_of(refused) is ProblemCode.QUEUE_FULL


def test_the_queue_of_one_agent_is_not_the_queue_of_another(place: Place) -> None:
    for number in range(MAX_QUEUED_MESSAGES):
        say(place, f"{number}")
    assert say(place, to_agent="assistant").to_agent == "assistant"


def test_a_cancelled_message_leaves_the_inbox_and_stays_in_the_log(place: Place) -> None:
    kept, regretted = say(place, "kept"), say(place, "regretted")
    cancelled = turns.cancel_message(place.session_id, place.user_id, regretted.seq)
    assert cancelled.payload.model_dump() == {"type": "chat.message_cancelled", "message_seq": regretted.seq}
    assert inbox(place.session_id, "creative", 0) == (kept,)
    assert texts_of(events_of(place.session_id)) == ["kept", "regretted"]


def test_cancelling_twice_is_one_cancellation(place: Place) -> None:
    message = say(place)
    first = turns.cancel_message(place.session_id, place.user_id, message.seq)
    assert turns.cancel_message(place.session_id, place.user_id, message.seq) == first
    assert types_of(place.session_id).count("chat.message_cancelled") == 1


def test_a_message_that_an_agent_has_taken_cannot_be_taken_back(place: Place) -> None:
    message = say(place)
    running(place.session_id)
    with pytest.raises(Refusal) as refused:
        turns.cancel_message(place.session_id, place.user_id, message.seq)
    assert code_of(refused) is ProblemCode.ALREADY_TAKEN


@pytest.mark.parametrize("seq", [0, 1, 2, 999_999_999])
def test_only_a_message_can_be_taken_back(place: Place, seq: int) -> None:
    """Seq 1 is `session.opened`, 2 the activation."""
    say(place)
    with pytest.raises(Refusal) as refused:
        turns.cancel_message(place.session_id, place.user_id, seq)
    assert code_of(refused) is ProblemCode.NOT_FOUND


def test_cancel_before_take_wins_and_the_take_finds_another_inbox(lasting: Place) -> None:
    """Both lock the session: who asked first is first."""
    message = say(lasting)
    worker = claimed(lasting.session_id)
    with held_session(lasting.session_id) as lock:
        cancel = lock.queue(lambda: turns.cancel_message(lasting.session_id, lasting.user_id, message.seq))
        take = lock.queue(lambda: worker.take(message.seq))
        lock.let_go()
        cancelled, taken = outcome_of(cancel), outcome_of(take)
    assert isinstance(cancelled, LogEvent)
    assert isinstance(taken, Refusal)
    assert taken.code is ProblemCode.INBOX_CHANGED
    assert types_of(lasting.session_id, message.seq) == ["chat.message_cancelled"]


def test_take_before_cancel_wins_and_the_cancel_is_late(lasting: Place) -> None:
    message = say(lasting)
    worker = claimed(lasting.session_id)
    with held_session(lasting.session_id) as lock:
        take = lock.queue(lambda: worker.take(message.seq))
        cancel = lock.queue(lambda: turns.cancel_message(lasting.session_id, lasting.user_id, message.seq))
        lock.let_go()
        cancelled, taken = outcome_of(cancel), outcome_of(take)
    assert isinstance(cancelled, Refusal)
    assert cancelled.code is ProblemCode.ALREADY_TAKEN
    assert not isinstance(taken, Refusal)
    assert types_of(lasting.session_id, message.seq) == ["turn.started"]


def wanted_and_wake(session_id: UUID) -> tuple[int, list[int]]:
    row = Instance.objects.filter(session_id=session_id, agent="creative").first()
    return (row.wanted_seq if row else 0), list(Wake.objects.values_list("seq", flat=True))


def test_a_message_marks_wanted_and_writes_the_wake_in_its_own_transaction(place: Place) -> None:
    message = say(place)
    assert wanted_and_wake(place.session_id) == (message.seq, [message.seq])


class Killed(Exception):
    """The process died before its commit."""


def test_a_transaction_that_dies_leaves_neither_message_nor_wanted_nor_wake(lasting: Place) -> None:
    def dies() -> None:
        with transaction.atomic():
            message = say(lasting)
            assert wanted_and_wake(lasting.session_id) == (message.seq, [message.seq])
            raise Killed

    with pytest.raises(Killed):
        dies()
    assert wanted_and_wake(lasting.session_id) == (0, [])
    assert types_of(lasting.session_id) == ["session.opened"]


def test_the_next_turn_answers_all_that_was_queued_in_order(place: Place) -> None:
    """F27: said while a turn runs, answered together as the next turn, once."""
    say(place, "one")
    worker = running(place.session_id)
    say(place, "two")
    say(place, "three")
    answered = worker.answer()
    assert texts_of(answered.inbox) == ["two", "three"]
    assert instance_of(place.session_id).cursor_seq < answered.inbox[0].seq
