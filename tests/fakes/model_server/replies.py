"""What the server answers to one request, as data: everything that streams in the wild do."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict


class ToolCall(BaseModel):
    """A call as it goes over the wire. `pieces` splits the arguments; null leaves a field out of its fragments."""

    model_config = ConfigDict(extra="forbid")

    name: str
    arguments: str | None = "{}"
    id: str | None = "call_1"
    index: int | None = None
    pieces: int = 2
    repeats_id: bool = False


class Reply(BaseModel):
    """One answer. Pieces are streamed `delay_ms` apart; `hang`, `cut` and errors come after `after` pieces."""

    model_config = ConfigDict(extra="forbid")

    text: str = ""
    pieces: int | None = None
    tool_calls: list[ToolCall] = []
    is_interleaved: bool = False
    finish: str | None = "auto"
    has_done: bool = True
    usage: Literal["last_chunk", "with_finish", "every_chunk", "zeros", "none"] = "last_chunk"
    prompt_tokens: int = 1000
    completion_tokens: int = 50
    cached_tokens: int = 0
    reasoning_tokens: int = 0
    reasoning: str = ""
    refusal: str = ""

    first_delay_ms: int = 0
    delay_ms: int = 0
    hang: Literal["before_headers", "before_body", "after"] | None = None
    is_dropped: bool = False
    """The connection ends before any header."""
    cut: Literal["close", "reset"] | None = None
    after: int = 0
    error_after: dict[str, Any] | None = None

    status: int = 200
    headers: dict[str, str] = {}
    content_type: str = "text/event-stream"
    body: str | None = None
    """Sent as it is, whatever was asked for."""
    raw: list[str] | None = None
    """The stream's bytes as hexadecimal, each in a write of its own."""
    is_azure: bool = False
    """A first chunk without choices, as Azure sends its filter results."""
    comments: bool = False
    """Comments, ids, retry fields and pings between the events."""
    newline: Literal["\n", "\r\n", "\r"] = "\n"
    first_event: dict[str, Any] | None = None
    is_whole: bool = False
    """One JSON document although a stream was asked for."""
    refuses: str | None = None
    """400 naming this field while the request has it."""
