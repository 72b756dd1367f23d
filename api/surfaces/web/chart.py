"""Bars of a chart in whole units of its drawing, so that no language writes a comma into a coordinate."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from api.rooms.budgets.selectors import Total

WIDTH = 900
HEIGHT = 200
MIN_HEIGHT = 2


@dataclass(frozen=True)
class Bar:
    """Exact below, estimated on top of it; `y` counts from above, as drawings do."""

    day: date
    total: Total
    x: int
    width: int
    exact_y: int
    exact_height: int
    estimated_y: int
    estimated_height: int


def bars(days: Sequence[Total]) -> tuple[Bar, ...]:
    """The dearest day fills the height; whatever cost anything can be seen."""
    top = max((day.cost_micros for day in days), default=0)
    return tuple(_bar(day, number, len(days), top) for number, day in enumerate(days))


def _bar(day: Total, number: int, count: int, top: int) -> Bar:
    left, right = number * WIDTH // count, (number + 1) * WIDTH // count
    exact = _height(day.cost_micros - day.estimated_micros, top)
    estimated = min(_height(day.estimated_micros, top), HEIGHT - exact)
    return Bar(
        date.fromisoformat(day.label),
        day,
        x=left,
        width=max(1, right - left - 2),
        exact_y=HEIGHT - exact,
        exact_height=exact,
        estimated_y=HEIGHT - exact - estimated,
        estimated_height=estimated,
    )


def _height(micros: int, top: int) -> int:
    return max(MIN_HEIGHT, micros * (HEIGHT - MIN_HEIGHT) // top) if micros else 0
