"""Filters for figures: money, prices, tokens and times as the reader's language writes them."""

from decimal import Decimal

from django import template
from django.utils.formats import number_format

from api.rooms.budgets.domain.reservation import Standing
from contracts.money import Usage

register = template.Library()


@register.filter
def money(micros: int | str | None) -> str:
    """US dollars with two places, and four where the amount is below a dollar; facts of events are text."""
    dollars = int(micros or 0) / 1_000_000
    places = 2 if dollars >= 1 or not dollars else 4
    return f"US$ {number_format(dollars, places, use_l10n=True)}"


@register.filter
def rate(micros: int) -> str:
    """US dollars per million tokens, without places that say nothing."""
    text = f"{Decimal(micros) / 1_000_000:.4f}".rstrip("0")
    places = max(2, len(text.partition(".")[2]))
    return f"US$ {number_format(Decimal(micros) / 1_000_000, places, use_l10n=True)}"


@register.filter
def dollars(micros: int | None) -> str:
    """As a person would type it into a form; nothing for no limit."""
    return "" if micros is None else f"{Decimal(micros) / 1_000_000:f}"


@register.filter
def used_micros(node: Standing) -> int:
    """What no other call may use: spent, or held for one that runs."""
    return node.spent_micros + node.held_micros


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
