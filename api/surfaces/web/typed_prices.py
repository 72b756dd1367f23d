"""Prices as people type them: US dollars per million tokens, with a point or a comma, as micros."""

from collections.abc import Mapping

from api.rooms.budgets.domain.metering import Rates
from api.rooms.kernel.refusals import Refusal
from api.surfaces.web import typed_money
from contracts.problem import ProblemCode

MAX_DOLLARS = 1_000_000
FIELDS = ("price_in", "price_out", "price_cache_read", "price_cache_write")


def rates(typed: Mapping[str, str]) -> Rates | None:
    """None when neither price was given; what is read from or written to a cache costs like input unless said."""
    texts = {field: str(typed.get(field, "")).strip() for field in FIELDS}
    if not any(texts.values()):
        return None
    figure = _micros("price_in", texts["price_in"])
    return Rates(
        input=figure,
        cache_read=_micros("price_cache_read", texts["price_cache_read"]) if texts["price_cache_read"] else figure,
        cache_write=_micros("price_cache_write", texts["price_cache_write"]) if texts["price_cache_write"] else figure,
        output=_micros("price_out", texts["price_out"]),
    )


def _micros(field: str, text: str) -> int:
    micros = typed_money.read(text)
    if micros is None:
        raise _refuse(field, "A price is a number of US dollars per million tokens; give both or neither.")
    if not 0 <= micros <= MAX_DOLLARS * typed_money.MICROS:
        raise _refuse(field, "A price is not negative, and not beyond reason.")
    return int(micros)


def _refuse(field: str, detail: str) -> Refusal:
    return Refusal(ProblemCode.INVALID_PARAMETER, detail, {"field": field})
