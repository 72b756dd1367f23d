"""Bars of a chart in whole units of its drawing, so that no language writes a comma into a coordinate."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from api.rooms.budgets.selectors import Total

WIDTH = 900
HEIGHT = 200
MIN_HEIGHT = 2
MARK = 8
ROUND_STEPS = (10, 20, 25, 50, 100)
"""Tenths of a power of ten at which an axis may end."""


@dataclass(frozen=True)
class Bar:
    """Exact below, estimated on top of it, a mark above both where calls had no price; `y` counts from above."""

    day: date
    total: Total
    x: int
    width: int
    exact_y: int
    exact_height: int
    estimated_y: int
    estimated_height: int
    unpriced_y: int


@dataclass(frozen=True)
class Chart:
    """`top_micros` is what the height stands for: the next round amount above the dearest day."""

    bars: tuple[Bar, ...]
    top_micros: int

    @property
    def half_micros(self) -> int:
        return self.top_micros // 2

    @property
    def first(self) -> date:
        return self.bars[0].day

    @property
    def middle(self) -> date:
        return self.bars[len(self.bars) // 2].day

    @property
    def last(self) -> date:
        return self.bars[-1].day


def chart(days: Sequence[Total]) -> Chart:
    """Whatever cost anything can be seen."""
    top = round_above(max(day.cost_micros for day in days))
    return Chart(tuple(_bar(day, number, len(days), top) for number, day in enumerate(days)), top)


def round_above(micros: int) -> int:
    """1, 2, 2.5 or 5 times a power of ten; a cent where there is nothing."""
    if micros <= 0:
        return 10_000
    power: int = 10 ** (len(str(micros)) - 1)
    return next(step * power // 10 for step in ROUND_STEPS if step * power >= 10 * micros)


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
        unpriced_y=max(0, HEIGHT - exact - estimated - MARK),
    )


def _height(micros: int, top: int) -> int:
    return max(MIN_HEIGHT, micros * HEIGHT // top) if micros else 0
