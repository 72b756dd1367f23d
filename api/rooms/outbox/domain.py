"""How long to wait before the next try, and when to give up."""

MAX_ATTEMPTS = 12
FIRST_DELAY_S = 0.5
MAX_DELAY_S = 60.0


def delay_s(attempts: int) -> float:
    """Exponential, capped; jitter is the caller's."""
    return min(MAX_DELAY_S, FIRST_DELAY_S * 2.0 ** min(attempts, 16))


def is_dead(attempts: int) -> bool:
    return attempts >= MAX_ATTEMPTS
