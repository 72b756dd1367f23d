"""What a tool is: how a model is told of it, and what running it gives."""

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from contracts.artifacts import BusinessRule, Note
from contracts.events import LogEvent, StructuredQuestion
from contracts.failures import ErrorCode
from contracts.limits import MAX_TOOL_ARGUMENTS_BYTES, MAX_TOOL_ERROR_CHARS, MAX_TOOL_RESULT_BYTES
from contracts.routes.model import ModelToolCall, ToolSpec
from contracts.text import cut_bytes
from engine.domain.failures import clean


@dataclass(frozen=True)
class ToolOutcome:
    """`text` is what the model reads; `code` is null exactly when it went well; `question` is to be put to people."""

    text: str
    code: ErrorCode | None = None
    question: StructuredQuestion | None = None

    @property
    def ok(self) -> bool:
        """Whether the tool did what was asked."""
        return self.code is None


Emit = Callable[[Note | BusinessRule], Awaitable[LogEvent]]


@dataclass(frozen=True)
class Scope:
    """What a tool may see and do: its turn, the log, and the api's doors that it needs."""

    turn_id: UUID
    history: tuple[LogEvent, ...]
    emit: Emit


@dataclass(frozen=True)
class Tool:
    """`run` gets arguments that are a JSON object, and nothing else is promised of them."""

    spec: ToolSpec
    run: Callable[[dict[str, Any], Scope], Awaitable[ToolOutcome]]


@dataclass(frozen=True)
class Arguments:
    """A JSON object as the model meant it."""

    values: dict[str, Any]


def failed(code: ErrorCode, text: str) -> ToolOutcome:
    """A refusal the model can act on, bounded (F17)."""
    sentence = clean(text)
    if len(sentence) > MAX_TOOL_ERROR_CHARS:
        sentence = sentence[: MAX_TOOL_ERROR_CHARS - 1] + "…"
    return ToolOutcome(sentence, code)


def succeeded(text: str, question: StructuredQuestion | None = None) -> ToolOutcome:
    """A result, bounded."""
    return ToolOutcome(cut_bytes(clean(text), MAX_TOOL_RESULT_BYTES), None, question)


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _decode(text: str) -> object:
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def read_arguments(call: ModelToolCall, *, is_cut: bool) -> Arguments | ToolOutcome:
    """The call's arguments, or why it is not executed; nothing is mended and nothing is invented (F17)."""
    text = call.arguments
    size = len(text.encode(errors="replace"))
    if is_cut:
        problem = "your answer reached the output limit, so the arguments may be incomplete; send a shorter call"
    elif size > MAX_TOOL_ARGUMENTS_BYTES:
        problem = f"the arguments have more than {MAX_TOOL_ARGUMENTS_BYTES} bytes; send less"
    elif not text.strip():
        problem = "the arguments are empty; send one JSON object"
    else:
        try:
            values = _decode(text)
        except ValueError as error:
            problem = f"the arguments are not one JSON object ({error}); send exactly one JSON object"
        else:
            if isinstance(values, dict):
                return Arguments(values)
            problem = f"the arguments are a JSON {_kind(values)}; send one JSON object"
    return failed(ErrorCode.INVALID_TOOL_ARGUMENTS, f"Not executed: {problem}.")


def _kind(value: object) -> str:
    names = {list: "array", str: "string", bool: "boolean", int: "number", float: "number", type(None): "null"}
    return names.get(type(value), "value")


def unknown(call: ModelToolCall, offered: tuple[str, ...]) -> ToolOutcome:
    """A name that was not offered is an error result, not a crash."""
    names = ", ".join(offered) or "none"
    return failed(
        ErrorCode.UNKNOWN_TOOL, f"Not executed: there is no tool {call.name[:100]!r}. Tools you have: {names}."
    )
