"""What a list of models says where servers speak OpenAI's dialect: each adds facts of its own."""

from collections.abc import Mapping
from decimal import ROUND_CEILING, Decimal, InvalidOperation
from typing import Any

from api.rooms.budgets.domain.metering import Rates
from api.rooms.gateway.domain.characters import mend
from api.rooms.gateway.domain.listing import ListedModel
from api.rooms.gateway.providers.shapes import mapping, rows, text, whole

PER_TOKEN = Decimal(10**12)
PER_MILLION = Decimal(10**6)
"""Dollars for a token, or for a million of them, as micros for a million."""
CONTEXT = ("context_length", "context_window", "max_model_len", "max_context_length")
MAX_NAME_CHARS = 200


def models(document: Any) -> tuple[ListedModel, ...]:
    """From `{"data": […]}`, or from the bare list that some send."""
    listed = document.get("data", document.get("models")) if isinstance(document, Mapping) else document
    named = [row for row in rows(listed) if 0 < len(text(row.get("id"))) <= MAX_NAME_CHARS]
    return tuple(_model(row) for row in named if _is_chat(row))


def _is_chat(row: Mapping[str, Any]) -> bool:
    """A server that says what a model is for is believed; silence keeps the model."""
    kind = text(row.get("type"))
    return not kind or kind in ("chat", "language", "code", "model")


def _model(row: Mapping[str, Any]) -> ListedModel:
    parameters = row.get("supported_parameters")
    modalities = mapping(row.get("architecture")).get("input_modalities")
    capabilities = mapping(row.get("capabilities"))
    return ListedModel(
        name=mend(text(row["id"])),
        display_name=mend(text(row.get("name")) or text(row.get("display_name")))[:MAX_NAME_CHARS],
        context_tokens=_context(row),
        max_output_tokens=whole(mapping(row.get("top_provider")).get("max_completion_tokens")),
        has_tools=_says(parameters, "tools", capabilities.get("function_calling")),
        has_vision=_says(modalities, "image", capabilities.get("vision")),
        has_reasoning=_says(parameters, "reasoning", None),
        rates=_rates(mapping(row.get("pricing"))),
    )


def _context(row: Mapping[str, Any]) -> int | None:
    found = [whole(row.get(name)) for name in CONTEXT]
    meta = mapping(row.get("meta"))  # llama.cpp: what it serves, before what the model was trained for
    found += [whole(meta.get("n_ctx")), whole(meta.get("n_ctx_train"))]
    return next((number for number in found if number), None)


def _says(values: object, wanted: str, otherwise: object) -> bool | None:
    if isinstance(values, list):
        return wanted in values
    return otherwise if isinstance(otherwise, bool) else None


def _rates(pricing: Mapping[str, Any]) -> Rates | None:
    """Texts are dollars a token (OpenRouter), numbers dollars a million (Together); zeros alone are no price."""
    if "prompt" in pricing:
        names, scale = ("prompt", "input_cache_read", "input_cache_write", "completion"), PER_TOKEN
    else:
        names, scale = ("input", "cached_input", "cache_write", "output"), PER_MILLION
    figures = [_micros(pricing.get(name), scale) for name in names]
    into, read, write, out = figures
    if into is None or out is None or not (into or out):
        return None
    return Rates(into, into if read is None else read, into if write is None else write, out)


def _micros(value: object, scale: Decimal) -> int | None:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    try:
        figure = Decimal(str(value)) * scale
    except InvalidOperation:
        return None
    return int(figure.to_integral_value(ROUND_CEILING)) if figure.is_finite() and figure >= 0 else None
