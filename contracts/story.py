"""What a line of a log belongs to: one request id that both services pass on with the work, and the ids beside it."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from random import getrandbits

REQUEST_HEADER = "X-Request-ID"
"""Unsigned between the services: it carries no authority, it only names."""
FIELDS = frozenset({"request_id", "session_id", "instance_id", "call_id", "turn_id", "user_id"})
MAX_ID_CHARS = 64
_ID = re.compile(rf"[A-Za-z0-9_-]{{1,{MAX_ID_CHARS}}}")
_told: ContextVar[dict[str, str] | None] = ContextVar("story", default=None)


def request_id(given: object = "") -> str:
    """What was given when it is short and harmless in every log; else a new one."""
    if isinstance(given, str) and _ID.fullmatch(given):
        return given
    return f"{getrandbits(128):032x}"


def current() -> dict[str, str]:
    """The ids that are known here."""
    return dict(_told.get() or {})


def current_request() -> str:
    """Empty where no request set this off."""
    return (_told.get() or {}).get("request_id", "")


def note(**ids: object) -> None:
    """More ids of the work under way; outside any story, and of a name that no line has, nothing is kept."""
    told = _told.get()
    if told is not None:
        told.update((name, str(value)) for name, value in ids.items() if name in FIELDS)


@contextmanager
def told(**ids: object) -> Iterator[None]:
    """A story of its own, which threads and tasks that begin within it tell on."""
    token = _told.set({name: str(value) for name, value in ids.items() if name in FIELDS and value})
    try:
        yield
    finally:
        _told.reset(token)
