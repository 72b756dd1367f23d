"""Local days of a time zone: a period of whole days, and a series in which no day is missing."""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

DEFAULT_DAYS = 30
MAX_DAYS = 180


@dataclass(frozen=True)
class Period:
    """Whole local days, both ends included; a day may have 23 or 25 hours."""

    zone: ZoneInfo
    first: date
    last: date

    @property
    def since(self) -> datetime:
        return datetime.combine(self.first, time.min, self.zone)

    @property
    def until(self) -> datetime:
        """The instant after the last day."""
        return datetime.combine(self.last + timedelta(days=1), time.min, self.zone)

    def days(self) -> tuple[date, ...]:
        return tuple(self.first + timedelta(days=number) for number in range((self.last - self.first).days + 1))


def latest_days(count: int, zone: ZoneInfo, now: datetime) -> Period:
    """Today as the zone has it and the days before, `count` (1 to MAX_DAYS) together."""
    today = now.astimezone(zone).date()
    return Period(zone, today - timedelta(days=max(1, min(count, MAX_DAYS)) - 1), today)
