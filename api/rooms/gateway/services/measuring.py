"""What this process bought and what went wrong, counted for `/metrics`; replicas are summed by whoever reads them."""

from prometheus_client import Counter, Histogram

from api.rooms.gateway.domain.endings import Ending
from api.rooms.gateway.services.opened import Opened
from contracts.failures import ORIGINS

SECONDS = (0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120)
TOKENS = Counter("mutirao_llm_tokens", "Tokens by provider and kind.", ("provider", "kind"))
COST = Counter("mutirao_llm_cost_micros", "Micros of a dollar, priced calls only.", ("provider",))
DURATION = Histogram("mutirao_llm_call_duration_seconds", "One try of a call.", ("provider",), buckets=SECONDS)
ERRORS = Counter("mutirao_llm_call_errors", "Tries that failed.", ("provider", "code", "origin"))
REPEATED = Counter("mutirao_llm_calls_bought_again", "Calls that were lost in flight and bought once more.")
REFUSED = Counter("mutirao_llm_calls_refused", "Calls that were not bought; `node` is the budget.", ("code", "node"))
KINDS = ("uncached_input", "cache_read", "cache_write", "output")


def count(opened: Opened, ending: Ending, cost_micros: int | None) -> None:
    """One try that ended. Labels are few and closed: no id is ever one."""
    for kind in KINDS:
        TOKENS.labels(opened.provider, kind).inc(getattr(ending.usage, kind))
    DURATION.labels(opened.provider).observe((ending.latency_ms or 0) / 1000)
    if cost_micros:
        COST.labels(opened.provider).inc(cost_micros)
    if ending.error is not None:
        ERRORS.labels(opened.provider, ending.error.code.value, ORIGINS[ending.error.code].value).inc()
    if opened.is_repeated:
        REPEATED.inc()
