"""Stop and Continue: the person's last word over an agent that runs or waits."""

from contracts.events import AgentError, TurnEnded, TurnStopReceipt
from contracts.failures import ErrorCode, FailureOrigin
from contracts.vocabulary import TurnStatus
from tests.api.rooms.halting import STOPPED_TURN, stop
from tests.factories.conversation import events_of, head, say, types_of
from tests.factories.places import Place
from tests.factories.races import together
from tests.factories.workers import Worker, instance_of, running


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
