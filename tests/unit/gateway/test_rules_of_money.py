"""Prices, bounds, usage and reservations: pure, so that hypothesis can look for the hole."""

from hypothesis import given
from hypothesis import strategies as st

from api.rooms.budgets.domain.metering import Rates
from api.rooms.budgets.domain.places import NodeKind
from api.rooms.budgets.domain.reservation import Admitted, OverLimit, Standing, Unpriced, decide
from api.rooms.gateway.domain import prices, usage
from api.rooms.gateway.domain.prices import FREE, Price, Tier
from api.rooms.kernel.ids import new_id
from contracts.money import Usage

RATE = st.integers(0, 10**8)
RATES = st.builds(Rates, RATE, RATE, RATE, RATE)


def _price(first: Rates, later: dict[int, Rates]) -> Price:
    return Price((Tier(0, first), *(Tier(above, rates) for above, rates in sorted(later.items()))))


PRICES = st.builds(_price, RATES, st.dictionaries(st.integers(1, 10**6), RATES, max_size=3))
TOKENS = st.integers(0, 10**6)
NODE = st.builds(
    Standing,
    st.builds(new_id),
    st.sampled_from(NodeKind),
    st.none() | st.integers(0, 1000),
    st.integers(0, 1000),
    st.integers(0, 1000),
)


@given(PRICES, st.tuples(TOKENS, TOKENS, TOKENS), TOKENS, TOKENS)
def test_a_call_within_its_bounds_never_costs_more_than_was_held(
    price: Price, parts: tuple[int, int, int], output: int, more: int
) -> None:
    used = Usage(uncached_input=parts[0], cache_read=parts[1], cache_write=parts[2], output=output)
    assert prices.cost(price, used) <= prices.worst_case(price, sum(parts) + more, output + more)


@given(PRICES)
def test_a_frozen_price_is_read_back_as_it_was(price: Price) -> None:
    assert prices.load(price.dump()) == price


def test_what_is_free_costs_nothing_and_a_fraction_is_rounded_up() -> None:
    assert prices.cost(FREE, Usage(uncached_input=10**9, output=10**9)) == 0
    assert prices.cost(prices.flat(Rates(1, 1, 1, 1)), Usage(uncached_input=1)) == 1


def test_the_tier_that_the_input_reaches_prices_the_whole_call() -> None:
    price = Price((Tier(0, Rates(1, 1, 1, 1)), Tier(200_000, Rates(2, 2, 2, 2))))
    assert price.rates_for(200_000).input == 1
    assert price.rates_for(200_001).input == 2


@given(st.lists(NODE, min_size=1, max_size=3), st.integers(0, 1000))
def test_a_call_is_admitted_exactly_when_it_fits_everywhere(nodes: list[Standing], amount: int) -> None:
    used = [(node.limit_micros, node.spent_micros + node.held_micros + amount) for node in nodes]
    fits = all(limit is None or wanted <= limit for limit, wanted in used)
    decision = decide(nodes, amount)
    assert isinstance(decision, Admitted) is fits
    if isinstance(decision, OverLimit):
        assert decision.needed_micros == amount
        assert decision.left_micros >= 0


@given(st.lists(NODE, min_size=1, max_size=3))
def test_an_unknown_price_is_refused_by_any_limit(nodes: list[Standing]) -> None:
    has_limit = any(node.limit_micros is not None for node in nodes)
    assert isinstance(decide(nodes, None), Unpriced) is has_limit


@given(st.dictionaries(st.text(max_size=20), st.none() | st.text() | st.integers() | st.floats() | st.booleans()))
def test_any_report_of_usage_is_read_or_ignored_but_never_fails(reported: dict[str, object]) -> None:
    usage.from_openai(reported)
    usage.from_openai({"prompt_tokens": 10, "prompt_tokens_details": reported, "completion_tokens": 2})


@given(TOKENS, TOKENS, TOKENS, TOKENS)
def test_the_buckets_of_a_report_add_up_to_its_input(prompt: int, cached: int, written: int, output: int) -> None:
    reported = {
        "prompt_tokens": prompt,
        "completion_tokens": output,
        "prompt_tokens_details": {"cached_tokens": cached, "cache_write_tokens": written},
        "completion_tokens_details": {"reasoning_tokens": output + 5},
    }
    found = usage.from_openai(reported)
    if prompt or output:
        assert found is not None
        assert found.uncached_input + found.cache_read + found.cache_write == prompt
        assert found.reasoning <= found.output
    else:
        assert found is None


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_what_was_sent_is_never_metered_as_nothing(body: int, received: int) -> None:
    for found in (usage.complete(None, body, received), usage.cut_short(None, body, received)):
        assert found.uncached_input > 0
        assert found.estimated
        assert (found.output > 0) is (received > 0)


def test_a_report_that_forgets_the_output_is_completed_and_flagged() -> None:
    found = usage.complete(Usage(uncached_input=100), 50, 40)
    assert found == Usage(uncached_input=100, output=10, estimated=True)
