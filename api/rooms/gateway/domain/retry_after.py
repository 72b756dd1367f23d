"""Retry-After in every form that providers send it: seconds, milliseconds, a date, an instant in milliseconds."""

import math
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

EPOCH_SECONDS_FROM = 1_000_000_000
EPOCH_MILLISECONDS_FROM = 1_000_000_000_000


def parse(headers: Mapping[str, str], now: datetime) -> float | None:
    """Seconds to wait from `now`, never negative; None when nothing usable is said. The caller caps it."""
    milliseconds = _number(headers.get("retry-after-ms", ""))
    if milliseconds is not None:
        return max(0.0, milliseconds / 1000)
    text = headers.get("retry-after", "").strip()
    number = _number(text.removesuffix("ms").removesuffix("s"))
    if number is None:
        return _until_date(text, now)
    if text.endswith("ms"):
        return max(0.0, number / 1000)
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
