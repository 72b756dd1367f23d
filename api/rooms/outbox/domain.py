"""How long to wait before the next try, and when to give up."""

from enum import StrEnum

MAX_ATTEMPTS = 12
FIRST_DELAY_S = 0.5
MAX_DELAY_S = 60.0


class MessageState(StrEnum):
    WAITING = "waiting"
    DEAD = "dead"
    DELIVERED = "delivered"
    DISCARDED = "discarded"


def state(*, is_delivered: bool, is_dead: bool, is_discarded: bool) -> MessageState:
    if is_discarded:
        return MessageState.DISCARDED
    if is_delivered:
        return MessageState.DELIVERED
    return MessageState.DEAD if is_dead else MessageState.WAITING


def delay_s(attempts: int) -> float:
    """Exponential, capped; jitter is the caller's."""
    return min(MAX_DELAY_S, FIRST_DELAY_S * 2.0 ** min(attempts, 16))


def is_dead(attempts: int) -> bool:
    return attempts >= MAX_ATTEMPTS
