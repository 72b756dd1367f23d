"""Ids of tool calls, unique in the session: providers send none, the same one twice, or one they used before."""

import re
from collections.abc import Iterable

from contracts.routes.model import ModelToolCall

_GOOD = re.compile(r"[A-Za-z0-9_-]{1,64}")


def made_unique(calls: Iterable[ModelToolCall], used: frozenset[str]) -> tuple[ModelToolCall, ...]:
    """The calls with ids that no other call of the session has; a usable id of the provider's is kept."""
    taken, renamed = set(used), list[ModelToolCall]()
    for call in calls:
        wanted = call.id if _GOOD.fullmatch(call.id) else "call"
        free = _free(wanted, taken)
        taken.add(free)
        renamed.append(call.model_copy(update={"id": free}))
    return tuple(renamed)


def _free(wanted: str, taken: set[str]) -> str:
    if wanted not in taken and wanted != "call":
        return wanted
    number = 1
    while f"{wanted[:52]}_{number}" in taken:
        number += 1
    return f"{wanted[:52]}_{number}"
