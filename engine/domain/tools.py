"""What a tool is: how a model is told of it, and what running it gives."""

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar
from uuid import UUID

from contracts.base import Message
from contracts.events import LogEvent, StructuredQuestion
from contracts.failures import ErrorCode
from contracts.limits import MAX_TOOL_ARGUMENTS_BYTES, MAX_TOOL_ERROR_CHARS, MAX_TOOL_RESULT_BYTES
from contracts.routes.model import Final, ModelMessage, ModelToolCall, ToolSpec
from contracts.routes.route import Route
from contracts.text import cut_bytes
from engine.domain.failures import clean

Answered = TypeVar("Answered", bound=Message)
NO_PARAMETERS: dict[str, Any] = {"type": "object", "properties": {}}
CUT = "\n[cut here: there is more than you are shown]"


@dataclass(frozen=True)
class ToolOutcome:
    """`text` is what the model reads; `code` is null exactly when it went well; `question` is to be put to people.

    `facts` are for the behaviour: what was made, by name.
    """

    text: str
    code: ErrorCode | None = None
    question: StructuredQuestion | None = None
    facts: Mapping[str, str] = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        """Whether the tool did what was asked."""
        return self.code is None


class Ask(Protocol):
    """A call of the api, fenced and keyed by the turn's step: repeating it answers what the first did.

    Raises ApiProblem, ServiceFailed or ServiceUnreachable.
    """

    async def __call__(self, route: Route[Any, Answered], **fields: Any) -> Answered: ...


class Think(Protocol):
    """A model call inside of a tool, through the gateway, at temperature 0: keyed by the turn's step and `call`.

    Repeating it answers what the first did. Raises what `ask` does; a provider's failure is in the frame.
    """

    async def __call__(self, messages: tuple[ModelMessage, ...], tool: ToolSpec, *, call: int) -> Final: ...


@dataclass(frozen=True)
class Scope:
    """What a tool may see and do: its turn, the log, the api's doors, and a model of its own."""

    turn_id: UUID
    history: tuple[LogEvent, ...]
    ask: Ask
    think: Think


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


def succeeded(
    text: str,
    question: StructuredQuestion | None = None,
    *,
    facts: Mapping[str, str] | None = None,
    max_bytes: int = MAX_TOOL_RESULT_BYTES,
) -> ToolOutcome:
    """A result, bounded; what was cut is said."""
    whole = clean(text)
    kept = cut_bytes(whole, max_bytes)
    told = kept if kept == whole else f"{cut_bytes(whole, max_bytes - len(CUT.encode()))}{CUT}"
    return ToolOutcome(told, None, question, facts or {})


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
