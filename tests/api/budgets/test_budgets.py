"""Limits, holds and spend: one read path, 0 is zero, null is no limit (F11, F12)."""

from dataclasses import replace
from uuid import UUID

import pytest

from api.rooms.budgets import selectors, services
from api.rooms.budgets.domain.metering import HoldKey, Metering, Rates
from api.rooms.budgets.domain.places import NodeKind, Place
from api.rooms.budgets.domain.reservation import OverLimit, Unpriced
from api.rooms.budgets.models import Hold, TokenUsage
from api.rooms.budgets.services import Held
from api.rooms.kernel.ids import new_id
from api.rooms.kernel.refusals import Refusal
from contracts.money import Usage
from tests.api.budgets.load import metering

pytestmark = pytest.mark.usefixtures("committed")


@pytest.fixture
def place() -> Place:
    return Place(new_id(), new_id(), new_id())


def hold(place: Place, amount: int | None, key: HoldKey | None = None) -> Held | OverLimit | Unpriced:
    return services.reserve(new_id(), key or HoldKey(new_id(), 1, 0, 1), place, amount)


def held(place: Place, amount: int | None) -> UUID:
    found = hold(place, amount)
    assert isinstance(found, Held)
    return found.hold_id


def counters(place: Place) -> list[tuple[int, int]]:
    """(spent, held), leaf first."""
    return [(node.spent_micros, node.held_micros) for node in selectors.budget_of(place)]


@pytest.mark.parametrize("limit", [0, 1, 99, 100, 101, 10**12])
def test_any_saved_value_is_what_the_enforcer_reads_on_the_next_call(place: Place, limit: int) -> None:
    services.set_limit(place, limit)
    assert isinstance(hold(place, 100), Held) is (limit >= 100)
    assert selectors.budget_of(place)[0].limit_micros == limit


def test_zero_refuses_the_first_call_and_null_shows_no_limit(place: Place) -> None:
    services.set_limit(place, 0)
    assert hold(place, 1) == OverLimit(place.leaf.id, NodeKind.SESSION, 0, needed_micros=1, left_micros=0)
    services.set_limit(place, None)
    assert selectors.budget_of(place)[0].left_micros is None
    assert isinstance(hold(place, 10**12), Held)


def test_without_a_limit_of_its_own_the_limit_above_applies(place: Place) -> None:
    services.set_limit(Place(place.workspace_id), 50)
    refusal = hold(place, 51)
    assert isinstance(refusal, OverLimit)
    assert refusal.kind is NodeKind.WORKSPACE


def test_what_is_held_counts_before_it_is_spent(place: Place) -> None:
    """F11: cap 50 cents, 20 cents a call, five at once: two are admitted, three refused; raising the cap resumes."""
    services.set_limit(place, 500_000)
    outcomes = [hold(place, 200_000) for _ in range(5)]
    assert [isinstance(outcome, Held) for outcome in outcomes] == [True, True, False, False, False]
    for outcome in outcomes[:2]:
        assert isinstance(outcome, Held)
        services.settle(outcome.hold_id, metering(200_000))
    assert counters(place)[0] == (400_000, 0)
    services.set_limit(place, 600_000)
    assert isinstance(hold(place, 200_000), Held)


def test_a_refusal_leaves_nothing_behind(place: Place) -> None:
    services.set_limit(place, 10)
    key = HoldKey(new_id(), 1, 0, 1)
    hold(place, 11, key)
    assert Hold.objects.count() == 0
    assert counters(place) == [(0, 0)] * 3
    assert isinstance(hold(place, 10, key), Held)


def test_reserving_the_same_key_twice_is_one_hold(place: Place) -> None:
    key = HoldKey(new_id(), 1, 0, 1)
    first, second = hold(place, 10, key), hold(place, 99, key)
    assert isinstance(first, Held)
    assert second == Held(first.hold_id, 10, is_new=False)
    assert counters(place) == [(0, 10)] * 3


def test_settling_moves_the_actual_and_frees_the_rest(place: Place) -> None:
    services.settle(held(place, 100), metering(30))
    assert counters(place) == [(30, 0)] * 3


def test_releasing_gives_everything_back_and_leaves_no_usage(place: Place) -> None:
    assert services.release(held(place, 100))
    assert counters(place) == [(0, 0)] * 3
    assert TokenUsage.objects.count() == 0


def test_booking_counts_the_worst_case_and_a_late_settle_replaces_it(place: Place) -> None:
    hold_id = held(place, 100)
    assert services.book(hold_id, metering(0))
    assert counters(place) == [(100, 0)] * 3
    services.settle(hold_id, metering(30))
    assert counters(place) == [(30, 0)] * 3
    assert list(TokenUsage.objects.values_list("cost_micros", flat=True)) == [30]


def test_a_hold_is_settled_exactly_once(place: Place) -> None:
    hold_id = held(place, 100)
    services.settle(hold_id, metering(30))
    assert services.settle(hold_id, metering(99)) is None
    assert not services.release(hold_id)
    assert not services.book(hold_id, metering(0))
    assert counters(place) == [(30, 0)] * 3


def test_an_unpriced_call_is_refused_under_any_limit_and_counted_apart_without_one(place: Place) -> None:
    services.set_limit(Place(place.workspace_id), 10**12)
    refusal = hold(place, None)
    assert refusal == Unpriced(place.workspace_id, NodeKind.WORKSPACE)
    services.set_limit(Place(place.workspace_id), None)
    services.settle(held(place, None), unpriced())
    total = selectors.session_spend(place.leaf.id)
    assert (total.calls, total.unpriced_calls, total.cost_micros) == (1, 1, 0)


def unpriced() -> Metering:
    return replace(metering(0), cost_micros=None, usage=Usage(uncached_input=5, output=5, estimated=True))


def test_renewing_keeps_an_open_hold_from_expiring(place: Place) -> None:
    hold_id = held(place, 10)
    Hold.objects.update(expires_at="2020-01-01T00:00:00Z")
    assert selectors.expired_holds(10) == (hold_id,)
    services.renew([hold_id])
    assert selectors.expired_holds(10) == ()


def test_limits_are_bounded(place: Place) -> None:
    for odd in (-1, 10**16):
        with pytest.raises(Refusal):
            services.set_limit(place, odd)


def test_spend_is_split_by_agent_model_and_session_with_estimates_apart(place: Place) -> None:
    other = replace(place, session_id=new_id())
    rates = Rates(1, 1, 1, 1)
    services.settle(held(place, 100), replace(metering(70), agent="creative", rates=rates))
    guess = Usage(output=9, estimated=True)
    services.settle(held(other, 100), replace(metering(20), agent="assistant", model="small", usage=guess))
    services.settle(held(other, None), replace(unpriced(), agent="assistant", model="odd"))
    assert place.project_id is not None
    spend = selectors.spend(place.project_id)
    assert (spend.total.calls, spend.total.cost_micros) == (3, 90)
    assert (spend.total.estimated_calls, spend.total.estimated_micros, spend.total.unpriced_calls) == (2, 20, 1)
    assert [(row.label, row.cost_micros) for row in spend.by_agent] == [("creative", 70), ("assistant", 20)]
    assert [(row.label, row.calls) for row in spend.by_model] == [("fake/fake", 1), ("fake/small", 1), ("fake/odd", 1)]
    assert [row.cost_micros for row in spend.by_session] == [70, 20]
    assert selectors.spend_of((new_id(),)).calls == 0


def test_the_price_of_that_moment_is_kept_with_the_usage(place: Place) -> None:
    services.settle(held(place, 100), replace(metering(1), rates=Rates(10, 1, 12, 40)))
    row = TokenUsage.objects.get()
    assert (row.input_rate, row.cache_read_rate, row.cache_write_rate, row.output_rate) == (10, 1, 12, 40)
