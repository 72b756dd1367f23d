"""Amounts of US dollars as people type them: with a point or a comma for cents, and nothing between thousands."""

import re
from decimal import Decimal, DecimalException

from django.utils.formats import get_format

MICROS = 1_000_000
LIKE_THOUSANDS = re.compile(r"[1-9]\d{0,2}[.,]\d{3}")
"""A thousand to one reader, and one to another: who types this is asked again."""


def read(text: str) -> Decimal | None:
    """Micros, not yet rounded; null when it is no amount, or may be one of two."""
    if LIKE_THOUSANDS.fullmatch(text.strip()):
        return None
    try:
        micros = Decimal(text.strip().replace(",", ".")) * MICROS
    except DecimalException:
        return None
    return micros if micros.is_finite() else None


def written(micros: int) -> str:
    """For a field: two places or as many as it takes, never like thousands; `read` gives the same back."""
    text = f"{Decimal(micros) / MICROS:f}"
    whole, _, places = text.partition(".")
    places = places.rstrip("0").ljust(2, "0")
    if len(places) == len("000"):
        places += "0"
    return f"{whole}{get_format('DECIMAL_SEPARATOR')}{places}"
