"""How the rehearsal calls tools, and finds what they answered."""

import json
from collections.abc import Mapping

from api.rooms.gateway.domain.scripts import ScriptedCall
from api.rooms.gateway.providers.rehearsal.conversation import Result

MAX_QUOTE_CHARS = 140


def call(name: str, arguments: Mapping[str, object]) -> ScriptedCall:
    return ScriptedCall(name=name, arguments=json.dumps(arguments, ensure_ascii=False))


def of(results: tuple[Result, ...], tool: str) -> list[Result]:
    """Those of one tool, in order."""
    return [result for result in results if result.call.name == tool]


def short(text: str) -> str:
    """On one line, and not long."""
    line = " ".join(text.split())
    return line if len(line) <= MAX_QUOTE_CHARS else line[:MAX_QUOTE_CHARS].rsplit(" ", 1)[0] + "…"
