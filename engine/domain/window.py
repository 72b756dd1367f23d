"""Whether a conversation fits: bytes and tokens are bounded before each call (F18)."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from contracts.routes.model import ModelMessage, ToolSpec
from contracts.text import cut_bytes
from contracts.vocabulary import MessageRole
from engine.domain.behaviour import ContextOverflowed
from engine.domain.conversation import Group, replayable
from engine.domain.effects import Window
from engine.domain.overflow import MAX_COMPACTIONS

THRESHOLD = (7, 10)
"""Share of the window at which the conversation is compacted."""
HARD_THRESHOLD = (19, 20)
"""Share that is still sent when compaction has done what it can."""
BYTES_PER_TOKEN = 4
MAX_BYTES_PER_TOKEN = 6
ENVELOPE_BYTES = 1_024
"""What the body holds beside messages and tools."""
MAX_OUTPUT_TOKENS = 4_096
MARK_BYTES = 48
CUT_MARK = "\n[… {count} bytes left out …]\n"


@dataclass(frozen=True)
class Place:
    """What the bound model and the transport can take."""

    context_tokens: int
    max_body_bytes: int


@dataclass(frozen=True)
class Prompt:
    """What surrounds the conversation in each call and is never cut."""

    system: str
    tools: tuple[ToolSpec, ...] = ()


@dataclass(frozen=True)
class Fitting:
    """Messages that may be sent, and their size."""

    messages: tuple[ModelMessage, ...]
    size_bytes: int


def max_output_tokens(place: Place) -> int:
    """A quarter of the window at most, so that 0.7 of it remain for the conversation."""
    return max(1, min(MAX_OUTPUT_TOKENS, place.context_tokens // 4))


def bytes_of_tokens(window: Window, tokens: int) -> int:
    """How many bytes `tokens` are: four each, or what the last real usage showed, within reason."""
    if not (window.last_bytes and window.last_tokens):
        return tokens * BYTES_PER_TOKEN
    by_usage = tokens * window.last_bytes // window.last_tokens
    return max(tokens, min(tokens * MAX_BYTES_PER_TOKEN, by_usage))


def limit_bytes(window: Window, place: Place) -> int:
    """The largest body that is sent: the model's window, the transport's, and what was refused before."""
    part, whole = HARD_THRESHOLD if window.compactions >= MAX_COMPACTIONS else THRESHOLD
    tokens = min(place.context_tokens, place.max_body_bytes // BYTES_PER_TOKEN) * part // whole
    limit = min(bytes_of_tokens(window, tokens), place.max_body_bytes * part // whole)
    if window.refused_bytes is None:
        return limit
    return min(limit, window.refused_bytes * part // whole, window.refused_bytes - 1)


def target_bytes(window: Window, place: Place) -> int:
    """What a compaction aims at: room for several more answers before the next one."""
    return limit_bytes(window, place) * 5 // 7


def compose(prompt: Prompt, groups: Sequence[Group], part_bytes: int | None) -> tuple[ModelMessage, ...]:
    """The messages of a call, each text cut to `part_bytes`."""
    messages = tuple(message for group in groups for message in group.messages)
    if part_bytes is not None:
        messages = tuple(cut(message, part_bytes) for message in messages)
    return (ModelMessage(role=MessageRole.SYSTEM, content=prompt.system), *messages) if prompt.system else messages


def size(prompt: Prompt, messages: Sequence[ModelMessage]) -> int:
    """Bytes of the body that carries these messages."""
    parts = [*messages, *prompt.tools]
    return ENVELOPE_BYTES + sum(len(part.model_dump_json().encode()) + 1 for part in parts)


def fit(prompt: Prompt, groups: Sequence[Group], window: Window, place: Place) -> Fitting | ContextOverflowed:
    """What may be sent now, or by how much it is too large."""
    messages = compose(prompt, groups, window.part_bytes)
    total, limit = size(prompt, messages), limit_bytes(window, place)
    if total > limit:
        return ContextOverflowed(total, limit, target_bytes(window, place))
    return Fitting(messages, total)


def cut(message: ModelMessage, part_bytes: int) -> ModelMessage:
    """The message with its text and its arguments bounded."""
    calls = tuple(
        call.model_copy(update={"arguments": _cut_arguments(call.arguments, part_bytes)}) for call in message.tool_calls
    )
    return message.model_copy(update={"content": cut_text(message.content, part_bytes), "tool_calls": calls})


def cut_text(text: str, part_bytes: int) -> str:
    """Beginning and end of `text` in at most `part_bytes`, with a mark that says how much is missing."""
    encoded = text.encode()
    if len(encoded) <= part_bytes:
        return text
    room = max(0, part_bytes - MARK_BYTES)
    head = cut_bytes(text, room * 2 // 3)
    tail = encoded[len(encoded) - room // 3 :].decode(errors="ignore")
    return head + CUT_MARK.format(count=len(encoded) - room) + tail


def _cut_arguments(arguments: str, part_bytes: int) -> str:
    if len(arguments.encode()) <= part_bytes:
        return replayable(arguments)
    return json.dumps({"cut_arguments": cut_text(arguments, part_bytes)}, ensure_ascii=False)
