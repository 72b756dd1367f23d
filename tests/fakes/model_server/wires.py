"""Which wire format a request speaks, told by its path."""

from typing import Any, Protocol

from tests.fakes.model_server import anthropic_wire, gemini_wire, wire
from tests.fakes.model_server.replies import Reply


class Wire(Protocol):
    """What the server needs of a format; `DONE` is the word after which nothing comes, where there is one."""

    DONE: Any

    def is_streamed(self, path: str, body: Any) -> bool: ...

    def chunks(self, reply: Reply) -> list[dict[str, Any]]: ...

    def document(self, reply: Reply) -> dict[str, Any]: ...

    def event(self, payload: Any, reply: Reply) -> bytes: ...


def wire_of(path: str) -> Wire:
    """Chat completions where nothing else fits."""
    if "enerateContent" in path:
        return gemini_wire
    return anthropic_wire if path.endswith("/messages") else wire
