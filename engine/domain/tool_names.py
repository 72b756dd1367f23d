"""Names of tools as every provider takes them: another character is answered with 400 for the whole conversation."""

import re
from collections.abc import Iterable, Mapping
from typing import TypeVar

MAX_CHARS = 128
REFUSED = re.compile(r"[^a-zA-Z0-9_-]")
Named = TypeVar("Named")


def fitting(name: str) -> str:
    """Letters, digits, `_` and `-`, 1 to 128 of them; a name that fits already stays what it is."""
    return REFUSED.sub("_", name)[:MAX_CHARS] or "_"


def registered(tools: Iterable[tuple[str, Named]]) -> Mapping[str, Named]:
    """By the names that are sent. Raises ValueError when two tools would be one to the model."""
    found: dict[str, Named] = {}
    for name, tool in tools:
        sent = fitting(name)
        if sent in found:
            raise ValueError(f"the tool {name!r} would be sent as {sent!r}, and so is another one")
        found[sent] = tool
    return found
