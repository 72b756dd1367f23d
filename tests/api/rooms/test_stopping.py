"""Stop and Continue: the person's last word over an agent that runs or waits."""

from collections.abc import Callable

import pytest

from api.rooms.agents import services as agents
from api.rooms.kernel.refusals import Refusal
from api.rooms.outbox.models import Wake
from api.rooms.turns import services as turns
from api.rooms.turns.models import Turn
from contracts.events import AgentError, TurnEnded, TurnStopReceipt
from contracts.failures import ErrorCode, FailureOrigin
from contracts.problem import ProblemCode
from contracts.routes.instances import StepAnswer
from contracts.vocabulary import TurnStatus
from tests.factories.conversation import events_of, head, say, texts_of, types_of
from tests.factories.places import Place
from tests.factories.races import held_session, outcome_of, together
from tests.factories.workers import Worker, claimed, instance_of, running

STOPPED_TURN = ["agent.error", "turn.ended", "turn.stop_receipt"]


def stop(place: Place, agent: str | None = None) -> tuple[object, ...]:
    return turns.stop(place.session_id, place.user_id, agent)


def refusal_of(act: Callable[[], object]) -> ProblemCode:
    with pytest.raises(Refusal) as refused:
        act()
    return refused.value.code


def test_stop_ends_the_turn_says_so_and_leaves_one_receipt(place: Place) -> None:
    say(place)
    worker, before = running(place.session_id), head(place.session_id)
    assert stop(place) == (worker.turn_id,)
    assert types_of(place.session_id, before) == STOPPED_TURN
    error, ended, receipt = (event.payload for event in events_of(place.session_id)[before:])
    assert isinstance(error, AgentError)
    assert (error.origin, error.code) == (FailureOrigin.POLICY, ErrorCode.CANCELLED_BY_USER)
    assert ended == TurnEnded(turn_id=worker.turn_id, status=TurnStatus.STOPPED, reason=ErrorCode.CANCELLED_BY_USER)
    assert isinstance(receipt, TurnStopReceipt)
    assert (receipt.turn_id, receipt.calls_after, receipt.cost_micros) == (worker.turn_id, 0, 0)


def test_a_stop_between_two_workers_names_the_turn_and_the_next_worker_finds_none(place: Place) -> None:
    """Handed over by a worker that drains, and not yet claimed: the turn is the session's, not the worker's."""
    say(place)
    drained = running(place.session_id)
    assert drained.release()
    assert stop(place) == (drained.turn_id,)
    lease = Worker(drained.instance_id).claim()
    assert lease is None or lease.turn is None


def test_a_stop_after_the_handover_names_the_turn_that_the_next_worker_runs(place: Place) -> None:
    say(place)
    drained = running(place.session_id)
    assert drained.release()
    lease = Worker(drained.instance_id).claim()
    assert lease is not None
    assert lease.turn is not None
    assert lease.turn.turn_id == drained.turn_id
    assert stop(place) == (drained.turn_id,)


def test_stop_five_times_is_one_stop(place: Place) -> None:
    """F4."""
    say(place)
    worker, before = running(place.session_id), head(place.session_id)
    assert [stop(place) for _ in range(5)] == [(worker.turn_id,), (), (), (), ()]
    assert types_of(place.session_id, before) == STOPPED_TURN


def test_stop_from_ten_tabs_at_once_is_one_stop(lasting: Place) -> None:
    say(lasting)
    worker, before = running(lasting.session_id), head(lasting.session_id)
    stops = together([lambda: stop(lasting)] * 10)
    assert sorted(stops, key=len, reverse=True) == [(worker.turn_id,)] + [()] * 9  # type: ignore[arg-type]
    assert types_of(lasting.session_id, before) == STOPPED_TURN


def test_stop_of_an_idle_session_changes_nothing(place: Place) -> None:
    say(place)
    running(place.session_id).answer()
    before = head(place.session_id)
    assert stop(place) == ()
    assert head(place.session_id) == before
    assert not instance_of(place.session_id).is_held


def test_stop_of_one_agent_leaves_the_others_running(place: Place) -> None:
    say(place)
    say(place, to_agent="assistant")
    creative, assistant = running(place.session_id), running(place.session_id, "assistant")
    assert stop(place, "assistant") == (assistant.turn_id,)
    assert instance_of(place.session_id).turn_id == creative.turn_id


def test_stop_without_an_agent_stops_all_of_them(place: Place) -> None:
    say(place)
    say(place, to_agent="assistant")
    turns_running = {running(place.session_id).turn_id, running(place.session_id, "assistant").turn_id}
    assert set(stop(place)) == turns_running


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
    assert refusal_of(lambda: worker.take(message.seq)) is ProblemCode.STOPPED
    assert Turn.objects.count() == 0


def test_the_next_message_takes_the_queue_with_it(place: Place) -> None:
    say(place)
    worker = running(place.session_id)
    say(place, "queued")
    stop(place)
    worker.release()
    say(place, "and now")
    lease = Worker(worker.instance_id).claim()
    assert lease is not None
    assert (texts_of(lease.inbox), lease.turn) == (["queued", "and now"], None)


def test_continue_drains_the_queue_and_writes_nothing(place: Place) -> None:
    say(place)
    worker = running(place.session_id)
    say(place, "queued")
    stop(place)
    worker.release()
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
    assert refusal_of(lambda: turns.continue_turn(place.session_id, place.user_id)) is ProblemCode.INVALID_TRANSITION


def test_in_a_silent_session_there_is_nothing_to_continue(place: Place) -> None:
    assert refusal_of(lambda: turns.continue_turn(place.session_id, place.user_id)) is ProblemCode.INVALID_TRANSITION


def test_a_step_after_stop_is_refused_and_writes_nothing(place: Place) -> None:
    say(place)
    worker = running(place.session_id)
    stop(place)
    before = head(place.session_id)
    assert refusal_of(worker.answer) is ProblemCode.STOPPED
    assert refusal_of(worker.brief) is ProblemCode.STOPPED
    assert refusal_of(worker.offer) is ProblemCode.STOPPED
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
