"""After a Stop: what is held, what goes on, and which of two last words wins."""

from api.rooms.agents import services as agents
from api.rooms.kernel.refusals import Refusal
from api.rooms.outbox.models import Wake
from api.rooms.turns import services as turns
from api.rooms.turns.models import Turn
from contracts.problem import ProblemCode
from contracts.routes.instances import StepAnswer
from tests.api.rooms.halting import STOPPED_TURN, stop
from tests.api.rooms.refused import refusal_code
from tests.factories.conversation import events_of, head, say, texts_of, types_of
from tests.factories.places import Place
from tests.factories.races import held_session, outcome_of
from tests.factories.workers import Worker, claimed, instance_of, running


def stopped_with_a_queue(place: Place) -> Worker:
    """One message waits for an agent that was stopped and has let go."""
    say(place)
    worker = running(place.session_id)
    say(place, "queued")
    stop(place)
    worker.release()
    return worker


def test_after_stop_nothing_is_wanted_by_anybody(place: Place) -> None:
    """F27: Stop keeps the queue and does not drain it by itself."""
    say(place)
    worker = running(place.session_id)
    say(place, "queued")
    stop(place)
    Wake.objects.all().delete()
    assert worker.release()
    assert agents.sweep(reaps=True) == 0
    assert Worker(worker.instance_id).claim() is None


def test_stop_while_messages_only_wait_holds_them(place: Place) -> None:
    message = say(place)
    assert stop(place) == ()
    assert types_of(place.session_id)[-1] == "chat.message"
    instance = instance_of(place.session_id)
    assert instance.is_held
    assert Worker(instance.id).claim() is None
    Wake.objects.all().delete()
    assert agents.sweep(reaps=True) == 0
    assert instance.cursor_seq < message.seq


def test_a_worker_that_had_claimed_cannot_begin_a_turn_after_stop(place: Place) -> None:
    message = say(place)
    worker = claimed(place.session_id)
    stop(place)
    assert refusal_code(lambda: worker.take(message.seq)) is ProblemCode.STOPPED
    assert Turn.objects.count() == 0


def test_the_next_message_takes_the_queue_with_it(place: Place) -> None:
    worker = stopped_with_a_queue(place)
    say(place, "and now")
    lease = Worker(worker.instance_id).claim()
    assert lease is not None
    assert (texts_of(lease.inbox), lease.turn) == (["queued", "and now"], None)


def test_continue_drains_the_queue_and_writes_nothing(place: Place) -> None:
    worker = stopped_with_a_queue(place)
    Wake.objects.all().delete()
    before = head(place.session_id)
    assert turns.continue_turn(place.session_id, place.user_id) is None
    assert head(place.session_id) == before
    assert Wake.objects.count() == 1
    lease = Worker(worker.instance_id).claim()
    assert lease is not None
    assert texts_of(lease.inbox) == ["queued"]


def test_continue_with_an_empty_queue_asks_the_agent_to_go_on(place: Place) -> None:
    say(place)
    worker = running(place.session_id)
    stop(place)
    worker.release()
    continued = turns.continue_turn(place.session_id, place.user_id)
    assert continued is not None
    assert continued.payload.model_dump() == {"type": "turn.continued", "after_turn_id": worker.turn_id}
    lease = Worker(worker.instance_id).claim()
    assert lease is not None
    assert lease.inbox == (continued,)


def test_continue_pressed_twice_continues_once(place: Place) -> None:
    say(place)
    worker = running(place.session_id)
    stop(place)
    worker.release()
    turns.continue_turn(place.session_id, place.user_id)
    assert turns.continue_turn(place.session_id, place.user_id) is None
    assert types_of(place.session_id).count("turn.continued") == 1


def test_continue_while_a_turn_runs_does_nothing(place: Place) -> None:
    say(place)
    running(place.session_id)
    before = head(place.session_id)
    assert turns.continue_turn(place.session_id, place.user_id) is None
    assert head(place.session_id) == before


def test_after_a_completed_turn_there_is_nothing_to_continue(place: Place) -> None:
    say(place)
    running(place.session_id).answer()
    assert refusal_code(lambda: turns.continue_turn(place.session_id, place.user_id)) is ProblemCode.INVALID_TRANSITION


def test_in_a_silent_session_there_is_nothing_to_continue(place: Place) -> None:
    assert refusal_code(lambda: turns.continue_turn(place.session_id, place.user_id)) is ProblemCode.INVALID_TRANSITION


def test_a_step_after_stop_is_refused_and_writes_nothing(place: Place) -> None:
    say(place)
    worker = running(place.session_id)
    stop(place)
    before = head(place.session_id)
    assert refusal_code(worker.answer) is ProblemCode.STOPPED
    assert refusal_code(worker.brief) is ProblemCode.STOPPED
    assert refusal_code(worker.offer) is ProblemCode.STOPPED
    assert head(place.session_id) == before


def test_stop_before_the_final_step_wins(lasting: Place) -> None:
    """A turn ends by one compare-and-set from `running`."""
    say(lasting)
    worker, before = running(lasting.session_id), head(lasting.session_id)
    with held_session(lasting.session_id) as lock:
        stopping = lock.queue(lambda: stop(lasting))
        answering = lock.queue(worker.answer)
        lock.let_go()
        stopped, answered = outcome_of(stopping), outcome_of(answering)
    assert stopped == (worker.turn_id,)
    assert isinstance(answered, Refusal)
    assert answered.code is ProblemCode.STOPPED
    assert types_of(lasting.session_id, before) == STOPPED_TURN
    assert Turn.objects.get(id=worker.turn_id).status == "stopped"


def test_the_final_step_before_stop_wins(lasting: Place) -> None:
    say(lasting)
    worker, before = running(lasting.session_id), head(lasting.session_id)
    with held_session(lasting.session_id) as lock:
        answering = lock.queue(worker.answer)
        stopping = lock.queue(lambda: stop(lasting))
        lock.let_go()
        stopped, answered = outcome_of(stopping), outcome_of(answering)
    assert stopped == ()
    assert isinstance(answered, StepAnswer)
    assert types_of(lasting.session_id, before) == ["agent.response", "turn.ended"]
    assert Turn.objects.get(id=worker.turn_id).status == "completed"


def test_an_immediate_stop_keeps_what_the_person_said(place: Place) -> None:
    """U4."""
    say(place, "What I had in mind")
    running(place.session_id)
    stop(place)
    assert texts_of(events_of(place.session_id)) == ["What I had in mind"]
