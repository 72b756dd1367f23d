"""Counting in Valkey, moving windows; without Valkey people are let in, and sign-ins are counted in this process."""

import logging
import math
import time
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from django.conf import settings
from limits import RateLimitItem, WindowStats, parse_many
from limits.storage import MemoryStorage, RedisStorage
from limits.strategies import MovingWindowRateLimiter
from redis.exceptions import RedisError

from api.surfaces.throttling.kinds import Kind

PREFIX = "api:limits"
ANSWER_S = 0.5
QUIET_S = 60.0
log = logging.getLogger(__name__)


@cache
def _shared() -> MovingWindowRateLimiter:
    url = settings.ENVIRONMENT.redis_url
    storage = RedisStorage(url, key_prefix=PREFIX, socket_timeout=ANSWER_S, socket_connect_timeout=ANSWER_S)
    return MovingWindowRateLimiter(storage)


@cache
def _own() -> MovingWindowRateLimiter:
    return MovingWindowRateLimiter(MemoryStorage())


class _Complaint:
    """At most one line a minute: an outage would write one for each request."""

    said_at = float("-inf")

    def about(self, error: RedisError) -> None:
        if time.monotonic() - self.said_at > QUIET_S:
            self.said_at = time.monotonic()
            log.warning("rate limits are off while Valkey is away: %s", error)


_complaint = _Complaint()


@cache
def _items(limits: str) -> tuple[RateLimitItem, ...]:
    return tuple(parse_many(limits))


def take(kind: Kind, who: str, limits: str) -> float:
    """Count one; the seconds to wait when that is one too many, else 0."""
    return _asked(kind, who, limits, is_counted=True)


def look(kind: Kind, who: str, limits: str) -> float:
    """The same without counting."""
    return _asked(kind, who, limits, is_counted=False)


@dataclass(frozen=True)
class Standing:
    """What is left of one limit: `left` of `quota` in a window of `window_s`; it moves on in `resets_s` seconds."""

    quota: int
    window_s: int
    left: int
    resets_s: int


def standings(kind: Kind, who: str, limits: str) -> list[Standing]:
    """One for each limit that applies, without counting; none while Valkey is away, since nothing holds then."""
    try:
        return [_standing(item, _shared().get_window_stats(item, kind, who)) for item in _items(limits)]
    except RedisError as error:
        _complaint.about(error)
        return []


def _standing(item: RateLimitItem, stats: WindowStats) -> Standing:
    resets_s = max(0, math.ceil(stats.reset_time - time.time()))
    return Standing(item.amount, item.get_expiry(), max(0, stats.remaining), resets_s)


def _asked(kind: Kind, who: str, limits: str, *, is_counted: bool) -> float:
    try:
        return _ask(_shared(), _items(limits), kind, who, is_counted=is_counted)
    except RedisError as error:
        _complaint.about(error)
    if kind is not Kind.SIGN_IN:
        return 0.0
    return _ask(_own(), _items(limits), kind, who, is_counted=is_counted)


def _ask(
    limiter: MovingWindowRateLimiter, items: Iterable[RateLimitItem], kind: Kind, who: str, *, is_counted: bool
) -> float:
    waits = [0.0]
    for item in items:
        is_free = limiter.hit(item, kind, who) if is_counted else limiter.test(item, kind, who)
        if not is_free:
            resets_at = limiter.get_window_stats(item, kind, who).reset_time
            waits.append(max(1.0, math.ceil(resets_at - time.time())))
    return max(waits)
