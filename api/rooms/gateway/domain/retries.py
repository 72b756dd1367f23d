"""Whether a failed try is tried again, and when."""

from contracts.failures import ErrorCode

MAX_ATTEMPTS = 4
FIRST_WAIT_S = 0.5
MAX_WAIT_S = 30.0

RETRYABLE = frozenset(
    {
        ErrorCode.PROVIDER_UNREACHABLE,
        ErrorCode.PROVIDER_UNAVAILABLE,
        ErrorCode.RATE_LIMITED,
        ErrorCode.STREAM_INCOMPLETE,
    }
)
"""Trouble that passes. A timeout is not here: the provider may have worked on the call for minutes."""


def wait_before(
    code: ErrorCode, tried: int, asked_s: float | None, jitter: float, *, has_relayed: bool
) -> float | None:
    """Seconds until the next try, or None for no further try.

    `tried` counts the tries so far, `asked_s` is the provider's Retry-After, `jitter` is 0 to 1. After the first
    relayed byte nothing is tried again: people have read it.
    """
    if has_relayed or code not in RETRYABLE or tried >= MAX_ATTEMPTS:
        return None
    own = FIRST_WAIT_S * (1 << (tried - 1)) * (1 + jitter / 4)
    return min(MAX_WAIT_S, own if asked_s is None else max(asked_s, own))
