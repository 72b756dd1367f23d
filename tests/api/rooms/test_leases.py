"""The lease: one effective worker per instance, whatever dies and whoever comes late."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from django.db.models import F
from django.db.models.functions import Now

from api.rooms.agents import services as agents
from api.rooms.agents.models import Instance, KeptAnswer
from api.rooms.kernel.ids import new_id
from api.rooms.kernel.refusals import Refusal
from api.rooms.outbox.models import Wake
from api.rooms.turns import services as turns
from api.rooms.turns.models import Turn
from contracts.events import AgentError
from contracts.failures import ErrorCode, FailureOrigin
from contracts.limits import LEASE_MS, MAX_DEATHS_PER_CAUSE
from contracts.problem import ProblemCode
from contracts.routes.instances import Claim, ClaimAnswer, Lease, ReleaseAnswer
from contracts.routes.workers import Heartbeat, HeartbeatAnswer, Held
from tests.factories.conversation import events_of, head, rule, say, texts_of, types_of
from tests.factories.places import Place
from tests.factories.races import held_session, outcome_of, together
from tests.factories.workers import Worker, claimed, expire_lease, instance_of, lose_wakes, running


def refusal_of(act: Callable[[], object]) -> ProblemCode:
    with pytest.raises(Refusal) as refused:
        act()
    return refused.value.code


def test_a_claim_answers_with_epoch_state_turn_and_inbox(place: Place) -> None:
    message = say(place)
    lease = Worker(instance_of(place.session_id).id).claim()
    assert lease is not None
    assert (lease.epoch, lease.step, lease.state, lease.turn) == (1, 0, None, None)
    assert (lease.inbox, lease.lease_ms) == ((message,), LEASE_MS)
    assert (lease.context.agent, lease.context.project_name) == ("creative", "Feira do bairro")


def test_nothing_wanted_is_nothing_to_claim(place: Place) -> None:
    agents.ensure(place.session_id, "creative")
    assert Worker(instance_of(place.session_id).id).claim() is None


def test_an_unknown_instance_is_not_found(place: Place) -> None:
    assert refusal_of(Worker(new_id()).claim) is ProblemCode.NOT_FOUND


def test_one_of_thirty_two_racing_workers_gets_the_lease(lasting: Place) -> None:
    say(lasting)
    instance_id = instance_of(lasting.session_id).id
    workers = [Worker(instance_id) for _ in range(32)]
    leases = [lease for lease in together([worker.claim for worker in workers]) if isinstance(lease, Lease)]
    assert [lease.epoch for lease in leases] == [1]
    assert instance_of(lasting.session_id).epoch == 1


def test_a_repeated_claim_gets_the_same_lease(place: Place) -> None:
    """Its first answer may have been lost."""
    say(place)
    worker, claim_id = Worker(instance_of(place.session_id).id), new_id()
    assert worker.claim(claim_id) == worker.claim(claim_id)
    assert instance_of(place.session_id).epoch == 1


def test_a_lease_that_ran_out_is_claimed_with_the_next_epoch(place: Place) -> None:
    say(place)
    dead = running(place.session_id)
    expire_lease(dead.instance_id)
    lease = Worker(dead.instance_id).claim()
    assert lease is not None
    assert (lease.epoch, lease.step, lease.state) == (2, 1, '{"after":1}')
    assert lease.turn is not None
    assert lease.turn.turn_id == dead.turn_id


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
    assert refusal_of(writes(zombie)[write]) is ProblemCode.FENCED
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
    assert refusal_of(lambda: worker.save(other)) is ProblemCode.IDEMPOTENCY_CONFLICT
    assert instance_of(place.session_id).state == '{"plan":"a"}'


@pytest.mark.parametrize("gap", [0, 2])
def test_a_step_out_of_order_is_fenced(place: Place, gap: int) -> None:
    say(place)
    worker = running(place.session_id)
    KeptAnswer.objects.all().delete()
    step = worker.next_step(step=worker.step + gap)
    assert refusal_of(lambda: worker.save(step)) is ProblemCode.FENCED


def test_a_turn_takes_from_the_front_of_the_inbox_only(place: Place) -> None:
    first, second = say(place), say(place)
    worker = claimed(place.session_id)
    for seqs in ((second.seq,), (second.seq, first.seq), (first.seq, first.seq), (first.seq, second.seq + 1)):
        assert refusal_of(lambda seqs=seqs: worker.take(*seqs)) is ProblemCode.INBOX_CHANGED  # type: ignore[misc]
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
    assert refusal_of(lambda: worker.take(later.seq)) is ProblemCode.STOPPED
    assert Turn.objects.count() == 1


def test_release_lets_go_when_the_inbox_is_empty(place: Place) -> None:
    say(place)
    worker = running(place.session_id)
    worker.answer()
    assert worker.release()
    row = instance_of(place.session_id)
    assert (row.lease_worker, row.lease_expires_at) == (None, None)


def test_release_fails_when_something_new_has_arrived(place: Place) -> None:
    say(place)
    worker = running(place.session_id)
    worker.answer()
    new = say(place)
    assert turns.release(worker.instance_id, worker.epoch) == ReleaseAnswer(released=False, inbox=(new,))
    assert instance_of(place.session_id).lease_worker == worker.id


def test_after_all_was_taken_back_release_lets_go_and_nothing_is_wanted(place: Place) -> None:
    message = say(place)
    worker = claimed(place.session_id)
    turns.cancel_message(place.session_id, place.user_id, message.seq)
    assert worker.release()
    assert worker.claim() is None


@pytest.mark.parametrize("is_message_first", [True, False])
def test_a_message_against_release_loses_no_wake(lasting: Place, is_message_first: bool) -> None:
    """Either release sees the message, or the message's wake finds the lease free."""
    say(lasting)
    worker = running(lasting.session_id)
    worker.answer()
    Wake.objects.all().delete()
    acts: list[Callable[[], object]] = [lambda: say(lasting, "new"), worker.release]
    with held_session(lasting.session_id) as lock:
        futures = [lock.queue(act) for act in (acts if is_message_first else acts[::-1])]
        lock.let_go()
        released = next(result for result in map(outcome_of, futures) if isinstance(result, bool))
    assert released is not is_message_first
    row = instance_of(lasting.session_id)
    assert (row.lease_worker is None) is not is_message_first
    assert row.wanted_seq > row.cursor_seq
    assert list(Wake.objects.values_list("seq", flat=True)) == [row.wanted_seq]


def test_a_worker_that_drains_hands_its_turn_over(place: Place) -> None:
    say(place)
    worker = running(place.session_id)
    Wake.objects.all().delete()
    assert worker.release()
    assert list(Wake.objects.values_list("instance_id", flat=True)) == [worker.instance_id]
    lease = Worker(worker.instance_id).claim()
    assert lease is not None
    assert lease.turn is not None
    assert (lease.turn.turn_id, instance_of(place.session_id).deaths) == (worker.turn_id, 0)


def beat(worker: Worker, *held: Held) -> HeartbeatAnswer:
    return turns.heartbeat(worker.id, Heartbeat(running=held))


def listed(worker: Worker) -> Held:
    return Held(instance_id=worker.instance_id, epoch=worker.epoch, turn_id=worker.turn_id)


def test_a_heartbeat_renews_the_lease(place: Place) -> None:
    say(place)
    worker = running(place.session_id)
    Instance.objects.update(lease_expires_at=F("lease_expires_at") - timedelta(seconds=4))
    before = instance_of(place.session_id).lease_expires_at
    assert beat(worker, listed(worker)) == HeartbeatAnswer()
    after = instance_of(place.session_id).lease_expires_at
    assert before is not None
    assert after is not None
    assert after > before + timedelta(seconds=3)


def test_a_heartbeat_tells_what_was_lost(place: Place) -> None:
    say(place)
    worker = running(place.session_id)
    expire_lease(worker.instance_id)
    assert Worker(worker.instance_id).claim() is not None
    assert beat(worker, listed(worker)) == HeartbeatAnswer(lost=(worker.instance_id,))


def test_a_heartbeat_tells_what_a_person_stopped(place: Place) -> None:
    say(place)
    worker = running(place.session_id)
    turns.stop(place.session_id, place.user_id)
    assert beat(worker, listed(worker)) == HeartbeatAnswer(stopped=(worker.instance_id,))


@pytest.mark.parametrize(("held_for_s", "is_dropped"), [(4, False), (6, True)])
def test_what_a_worker_does_not_list_is_dropped_after_its_grace(
    place: Place, held_for_s: int, is_dropped: bool
) -> None:
    """A claim whose answer is on its way is not in the list yet."""
    say(place)
    worker = claimed(place.session_id)
    Instance.objects.update(lease_since=datetime.now(UTC) - timedelta(seconds=held_for_s))
    beat(worker)
    assert (instance_of(place.session_id).lease_worker is None) is is_dropped


def test_a_heartbeat_touches_no_other_workers_lease(place: Place) -> None:
    say(place)
    worker = claimed(place.session_id)
    Instance.objects.update(lease_since=datetime.now(UTC) - timedelta(seconds=60))
    assert beat(Worker(worker.instance_id, epoch=worker.epoch), listed(worker)) == HeartbeatAnswer(
        lost=(worker.instance_id,)
    )
    assert instance_of(place.session_id).lease_worker == worker.id


def die(instance_id: UUID) -> Lease | None:
    """The worker is gone and another one claims."""
    expire_lease(instance_id)
    return Worker(instance_id).claim()


def test_the_third_death_on_the_same_step_ends_the_turn_and_holds_the_agent(place: Place) -> None:
    """Poison: interrupted, origin infra, and nobody is fed to it again."""
    say(place)
    worker = running(place.session_id)
    leases = [die(worker.instance_id) is not None for _ in range(MAX_DEATHS_PER_CAUSE)]
    assert leases == [True, True, False]
    row = instance_of(place.session_id)
    assert (row.is_held, row.turn_id, row.lease_worker) == (True, None, None)
    assert types_of(place.session_id)[-2:] == ["agent.error", "turn.ended"]
    error = events_of(place.session_id)[-2].payload
    assert isinstance(error, AgentError)
    assert (error.origin, error.code) == (FailureOrigin.INFRA, ErrorCode.WORKER_LOST)
    turn = Turn.objects.get(id=worker.turn_id)
    assert (turn.status, turn.reason) == ("interrupted", "worker_lost")


def test_deaths_on_different_steps_do_not_add_up(place: Place) -> None:
    say(place)
    worker = running(place.session_id)
    for _ in range(MAX_DEATHS_PER_CAUSE + 1):
        assert die(worker.instance_id) is not None
        heir = Worker(worker.instance_id)
        expire_lease(worker.instance_id)
        assert heir.claim() is not None
        heir.save(heir.next_step())
        assert heir.release()


def test_a_message_revives_an_agent_that_was_given_up(place: Place) -> None:
    say(place)
    worker = running(place.session_id)
    for _ in range(MAX_DEATHS_PER_CAUSE):
        die(worker.instance_id)
    assert Worker(worker.instance_id).claim() is None
    say(place, "Are you there?")
    lease = Worker(worker.instance_id).claim()
    assert lease is not None
    assert (texts_of(lease.inbox), lease.turn) == (["Are you there?"], None)


def test_a_continue_revives_an_agent_that_was_given_up(place: Place) -> None:
    say(place)
    worker = running(place.session_id)
    for _ in range(MAX_DEATHS_PER_CAUSE):
        die(worker.instance_id)
    continued = turns.continue_turn(place.session_id, place.user_id)
    lease = Worker(worker.instance_id).claim()
    assert lease is not None
    assert lease.inbox == (continued,)


def woken() -> list[UUID]:
    return list(Wake.objects.values_list("instance_id", flat=True))


@pytest.mark.parametrize("reaps", [True, False])
def test_the_sweep_finds_a_wake_that_was_lost(place: Place, reaps: bool) -> None:
    say(place)
    lose_wakes()
    assert agents.sweep(reaps=reaps) == 1
    assert woken() == [instance_of(place.session_id).id]


@pytest.mark.parametrize("reaps", [True, False])
def test_the_sweep_reaps_a_dead_workers_lease_only_when_it_may(place: Place, reaps: bool) -> None:
    """After an outage every lease has run out although its worker lives: let it renew first."""
    say(place)
    worker = running(place.session_id)
    lose_wakes()
    expire_lease(worker.instance_id)
    assert agents.sweep(reaps=reaps) == int(reaps)
    assert woken() == ([worker.instance_id] if reaps else [])


def test_the_sweep_leaves_a_live_worker_alone(place: Place) -> None:
    say(place)
    running(place.session_id)
    lose_wakes()
    assert agents.sweep(reaps=True) == 0


def test_the_sweep_does_not_repeat_itself_each_second(place: Place) -> None:
    say(place)
    lose_wakes()
    assert [agents.sweep(reaps=True), agents.sweep(reaps=True)] == [1, 0]


def seconds_ago(seconds: float) -> None:
    Instance.objects.update(swept_at=Now() - timedelta(seconds=seconds))
    Wake.objects.all().delete()


def test_a_wake_on_its_way_is_not_doubled_by_the_sweep(place: Place) -> None:
    say(place)
    Wake.objects.all().delete()  # delivered: the engine has it
    assert agents.sweep(reaps=True) == 0
    seconds_ago(2.1)
    assert agents.sweep(reaps=True) == 1


def test_who_waits_in_a_crowd_is_woken_ever_more_seldom_until_it_is_claimed(place: Place) -> None:
    """Two seconds, four, eight, eight: what waits in a worker's queue must not be doubled again and again."""
    say(place)
    for pause in (2, 4, 8, 8):
        seconds_ago(pause - 0.5)
        assert agents.sweep(reaps=True) == 0
        seconds_ago(pause + 0.5)
        assert agents.sweep(reaps=True) == 1
    claimed(place.session_id)
    assert instance_of(place.session_id).sweeps == 0


def test_two_sweeps_at_once_wake_once(lasting: Place) -> None:
    say(lasting)
    lose_wakes()
    assert sum(found for found in together([lambda: agents.sweep(reaps=True)] * 6) if isinstance(found, int)) == 1


def test_an_answered_claim_of_nothing_says_so(place: Place) -> None:
    agents.ensure(place.session_id, "creative")
    asked = Claim(worker=new_id(), claim_id=new_id())
    assert turns.claim(instance_of(place.session_id).id, asked) == ClaimAnswer(lease=None)
