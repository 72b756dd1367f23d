"""What a stranger's JSON holds, taken only where it has the type that it should have."""

from collections.abc import Mapping
from typing import Any


def mapping(value: object) -> Mapping[str, Any]:
    """An object; anything else is an empty one."""
    return value if isinstance(value, Mapping) else {}


def rows(value: object) -> list[Mapping[str, Any]]:
    """The objects of a list."""
    return [each for each in value if isinstance(each, Mapping)] if isinstance(value, list) else []


def text(value: object) -> str:
    """A text; anything else is an empty one."""
    return value if isinstance(value, str) else ""


def whole(value: object) -> int | None:
    """A positive whole number."""
    return value if type(value) is int and value > 0 else None
