"""Steps are written once, in order, and never by who lost the lease."""

from collections.abc import Callable

import pytest

from api.rooms.agents.models import KeptAnswer
from api.rooms.kernel.ids import new_id
from api.rooms.turns.models import Turn
from contracts.problem import ProblemCode
from tests.api.rooms.refused import refusal_code
from tests.factories.conversation import events_of, head, rule, say, types_of
from tests.factories.places import Place
from tests.factories.races import together
from tests.factories.workers import Worker, claimed, expire_lease, instance_of, running


def writes(worker: Worker) -> dict[str, Callable[[], object]]:
    """Every write of the engine that carries an epoch, but model calls."""
    return {
        "step": worker.answer,
        "release": worker.release,
        "artifact": lambda: worker.emit(rule("Too late", 3)),
        "brief": worker.brief,
        "handoff": worker.offer,
    }


@pytest.mark.parametrize("write", ["step", "release", "artifact", "brief", "handoff"])
def test_a_stale_epoch_writes_nothing(place: Place, write: str) -> None:
    """F3c: the old worker wakes later and reports success."""
    say(place)
    zombie = running(place.session_id)
    expire_lease(zombie.instance_id)
    assert Worker(zombie.instance_id).claim() is not None
    before = events_of(place.session_id)
    assert refusal_code(writes(zombie)[write]) is ProblemCode.FENCED
    assert events_of(place.session_id) == before


def test_a_step_again_answers_what_the_first_did_and_writes_nothing(place: Place) -> None:
    say(place)
    worker = running(place.session_id)
    step = worker.answering()
    first, length = worker.save(step), head(place.session_id)
    assert worker.save(step) == first
    assert head(place.session_id) == length


def test_a_step_sent_by_ten_threads_is_written_once(lasting: Place) -> None:
    say(lasting)
    worker = running(lasting.session_id)
    step = worker.answering()
    answers = together([lambda: worker.save(step)] * 10)
    assert answers == [answers[0]] * 10
    assert types_of(lasting.session_id).count("agent.response") == 1


def test_another_body_under_the_same_step_is_refused(place: Place) -> None:
    say(place)
    worker = running(place.session_id)
    worker.save(worker.next_step(state='{"plan":"a"}'))
    worker.step -= 1
    other = worker.next_step(state='{"plan":"b"}')
    assert refusal_code(lambda: worker.save(other)) is ProblemCode.IDEMPOTENCY_CONFLICT
    assert instance_of(place.session_id).state == '{"plan":"a"}'


@pytest.mark.parametrize("gap", [0, 2])
def test_a_step_out_of_order_is_fenced(place: Place, gap: int) -> None:
    say(place)
    worker = running(place.session_id)
    KeptAnswer.objects.all().delete()
    step = worker.next_step(step=worker.step + gap)
    assert refusal_code(lambda: worker.save(step)) is ProblemCode.FENCED


def test_a_turn_takes_from_the_front_of_the_inbox_only(place: Place) -> None:
    first, second = say(place), say(place)
    worker = claimed(place.session_id)
    for seqs in ((second.seq,), (second.seq, first.seq), (first.seq, first.seq), (first.seq, second.seq + 1)):
        assert refusal_code(lambda seqs=seqs: worker.take(*seqs)) is ProblemCode.INBOX_CHANGED  # type: ignore[misc]
    worker.take(first.seq)
    assert instance_of(place.session_id).cursor_seq == first.seq


def test_a_turn_begins_with_its_event_and_its_row(place: Place) -> None:
    message = say(place)
    worker = running(place.session_id)
    started = events_of(place.session_id)[-1].payload
    assert started.model_dump() == {
        "type": "turn.started",
        "turn_id": worker.turn_id,
        "number": 1,
        "taken": (message.seq,),
    }
    assert Turn.objects.values_list("status", flat=True).get(id=worker.turn_id) == "running"


def test_a_second_turn_cannot_begin_while_one_runs(place: Place) -> None:
    say(place)
    worker = running(place.session_id)
    later = say(place)
    worker.turn_id = new_id()
    assert refusal_code(lambda: worker.take(later.seq)) is ProblemCode.STOPPED
    assert Turn.objects.count() == 1
