"""Tool calls that a model wrote as JSON into its text instead of calling (agents that lack native calls do)."""

import json
import re
from dataclasses import dataclass
from typing import Any

from contracts.routes.model import ModelToolCall
from engine.domain.failures import clean

MAX_RECOVERED = 16
_LEFT_OVER = re.compile(r"```[a-zA-Z_-]*\s*```|<tool_call>\s*</tool_call>")


@dataclass(frozen=True)
class Recovered:
    """The calls found, and the text without them."""

    calls: tuple[ModelToolCall, ...]
    text: str


def recover(text: str, names: tuple[str, ...]) -> Recovered:
    """Every top-level JSON object with a registered `name` and an object of `arguments` (or `parameters`)."""
    decoder, calls, kept, position = json.JSONDecoder(), list[ModelToolCall](), list[str](), 0
    while len(calls) < MAX_RECOVERED and (start := text.find("{", position)) >= 0:
        kept.append(text[position:start])
        try:
            value, position = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            kept.append("{")
            position = start + 1
            continue
        call = _call(value, names)
        if call is None:
            kept.append(text[start:position])
        else:
            calls.append(call)
    if not calls:
        return Recovered((), text)
    return Recovered(tuple(calls), _LEFT_OVER.sub("", "".join(kept) + text[position:]).strip())


def _call(value: Any, names: tuple[str, ...]) -> ModelToolCall | None:
    if not isinstance(value, dict) or value.get("name") not in names:
        return None
    arguments = value.get("arguments", value.get("parameters"))
    if not isinstance(arguments, dict):
        return None
    return ModelToolCall(id="", name=value["name"], arguments=clean(json.dumps(arguments, ensure_ascii=False)))
