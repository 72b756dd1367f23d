"""When to try again, in every form that providers say it: seconds, milliseconds, a date, an instant, a reset."""

import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

EPOCH_SECONDS_FROM = 1_000_000_000
EPOCH_MILLISECONDS_FROM = 1_000_000_000_000
RESETS = (
    ("anthropic-ratelimit-requests-remaining", "anthropic-ratelimit-requests-reset"),
    ("anthropic-ratelimit-tokens-remaining", "anthropic-ratelimit-tokens-reset"),
    ("anthropic-ratelimit-input-tokens-remaining", "anthropic-ratelimit-input-tokens-reset"),
    ("anthropic-ratelimit-output-tokens-remaining", "anthropic-ratelimit-output-tokens-reset"),
    ("x-ratelimit-remaining-requests", "x-ratelimit-reset-requests"),
    ("x-ratelimit-remaining-tokens", "x-ratelimit-reset-tokens"),
    ("x-ratelimit-remaining", "x-ratelimit-reset"),
)
DURATION = re.compile(r"(?:(?P<h>\d+)h)?(?:(?P<m>\d+)m(?!s))?(?:(?P<s>\d+(?:\.\d+)?)s)?(?:(?P<ms>\d+(?:\.\d+)?)ms)?")


def parse(headers: Mapping[str, str], now: datetime, body: object = None) -> float | None:
    """Seconds to wait from `now`, never negative; None when nothing usable is said. The caller caps it.

    Retry-After counts first, then what the body says (Gemini's RetryInfo), then the resets of exhausted limits.
    """
    asked = _retry_after(headers, now)
    if asked is None:
        asked = _retry_info(body)
    return _reset(headers, now) if asked is None else asked


def _retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    milliseconds = _number(headers.get("retry-after-ms", ""))
    if milliseconds is not None:
        return max(0.0, milliseconds / 1000)
    text = headers.get("retry-after", "").strip()
    number = _number(text.removesuffix("ms").removesuffix("s"))
    if number is None:
        return _until_date(text, now)
    return max(0.0, number / 1000) if text.endswith("ms") else _wait(number, now)


def _wait(number: float, now: datetime) -> float:
    """A bare number is seconds to wait, or an instant when it is too large for that."""
    if number >= EPOCH_MILLISECONDS_FROM:
        return max(0.0, number / 1000 - now.timestamp())
    if number >= EPOCH_SECONDS_FROM:
        return max(0.0, number - now.timestamp())
    return max(0.0, number)


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _until_date(text: str, now: datetime) -> float | None:
    try:
        at = parsedate_to_datetime(text)
    except ValueError:
        return None
    if at.tzinfo is None:
        at = at.replace(tzinfo=UTC)
    return max(0.0, (at - now).total_seconds())


def _retry_info(body: object) -> float | None:
    """`error.details[].retryDelay`, such as "37.5s"."""
    error = body.get("error") if isinstance(body, Mapping) else None
    details = error.get("details") if isinstance(error, Mapping) else None
    for detail in details if isinstance(details, list) else ():
        delay = detail.get("retryDelay") if isinstance(detail, Mapping) else None
        seconds = _number(delay.removesuffix("s")) if isinstance(delay, str) else None
        if seconds is not None:
            return max(0.0, seconds)
    return None


def _reset(headers: Mapping[str, str], now: datetime) -> float | None:
    """The latest reset among the limits that have nothing left."""
    waits = [
        _until_reset(headers.get(reset, ""), now) for remaining, reset in RESETS if headers.get(remaining, "") == "0"
    ]
    known = [wait for wait in waits if wait is not None]
    return max(known) if known else None


def _until_reset(text: str, now: datetime) -> float | None:
    """An ISO instant (Anthropic), a duration such as "6m0.5s" or "120ms" (OpenAI), or a number (OpenRouter)."""
    number = _number(text)
    if number is not None:
        return _wait(number, now)
    duration = DURATION.fullmatch(text)
    if text and duration:
        parts = duration.groupdict("0")
        return float(parts["h"]) * 3600 + float(parts["m"]) * 60 + float(parts["s"]) + float(parts["ms"]) / 1000
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        return None
    return max(0.0, ((at if at.tzinfo else at.replace(tzinfo=UTC)) - now).total_seconds())
