"""Filters for figures: money, prices, tokens and times as the reader's language writes them."""

from decimal import Decimal

from django import template
from django.utils.formats import number_format

from api.rooms.budgets.domain.reservation import Standing
from api.surfaces.web import typed_money
from contracts.money import Usage

register = template.Library()

MICROS = 1_000_000
SMALLEST_MICROS = 100


@register.filter
def money(micros: int | str | None) -> str:
    """US dollars with two places; below a dollar up to four where they say something. Facts of events are text.

    What is too little for four places is said to be less than that, and never to be nothing.
    """
    whole = int(micros or 0)
    if 0 < whole < SMALLEST_MICROS:
        return f"< US$ {number_format(Decimal(SMALLEST_MICROS) / MICROS, 4, use_l10n=True)}"
    return _us_dollars(Decimal(whole) / MICROS, 2 if whole >= MICROS else 4)


def _us_dollars(amount: Decimal, most_places: int) -> str:
    """Without places that say nothing beyond the two of cents."""
    places = max(2, len(f"{amount:.{most_places}f}".rstrip("0").partition(".")[2]))
    return f"US$ {number_format(amount, places, use_l10n=True)}"


@register.filter
def rate(micros: int) -> str:
    """US dollars per million tokens, without places that say nothing."""
    return _us_dollars(Decimal(micros) / MICROS, 4)


@register.filter
def dollars(micros: int | None) -> str:
    """As a person would type it into a form, in the reader's language; nothing for no limit."""
    return "" if micros is None else typed_money.written(micros)


@register.filter
def used_micros(node: Standing) -> int:
    """What no other call may use: spent, or held for one that runs."""
    return node.spent_micros + node.held_micros


@register.filter
def almost_used_micros(node: Standing) -> int:
    """Above this a limit is shown as almost used up."""
    return (node.limit_micros or 0) * 9 // 10


@register.filter
def unlocalized(number: int) -> str:
    """For attributes that machines read."""
    return str(number)


@register.filter
def tokens(usage: Usage) -> int:
    return usage.uncached_input + usage.cache_read + usage.cache_write + usage.output


@register.filter
def grouped(number: int) -> str:
    """Thousands apart, as the reader's language writes them."""
    return number_format(number, 0, use_l10n=True, force_grouping=True)


@register.filter
def seconds(milliseconds: int) -> str:
    return number_format(milliseconds / 1000, 1, use_l10n=True)
