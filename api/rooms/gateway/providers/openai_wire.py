"""Chat completions on the wire: what is asked, and what its chunks mean."""

from collections.abc import Mapping
from typing import Any

from api.rooms.gateway.domain import usage
from api.rooms.gateway.domain.characters import mend
from api.rooms.gateway.domain.reception import Reception
from api.rooms.gateway.providers.openai_dialects import Dialect
from contracts.routes.model import ModelCall, ModelMessage
from contracts.vocabulary import FinishReason, MessageRole

FINISHES = {
    "length": FinishReason.LENGTH,
    "max_tokens": FinishReason.LENGTH,
    "tool_calls": FinishReason.TOOL_CALLS,
    "function_call": FinishReason.TOOL_CALLS,
    "content_filter": FinishReason.CONTENT_FILTER,
}
REASONING = ("reasoning_content", "reasoning")


def body(call: ModelCall, model: str, dialect: Dialect, *, is_streamed: bool) -> dict[str, Any]:
    """Always with a limit on the output, and asking for usage where the server lets us."""
    asked: dict[str, Any] = {
        "model": model,
        "messages": [_message(message) for message in call.messages],
        dialect.output_limit: call.max_output_tokens,
        "stream": is_streamed,
    }
    if is_streamed and dialect.asks_for_usage:
        asked["stream_options"] = {"include_usage": True}
    if call.tools:
        asked["tools"] = [{"type": "function", "function": tool.model_dump()} for tool in call.tools]
    if call.temperature is not None and dialect.has_temperature:
        asked["temperature"] = call.temperature
    return asked


def _message(message: ModelMessage) -> dict[str, Any]:
    spoken: dict[str, Any] = {"role": message.role.value, "content": message.content}
    if message.role is MessageRole.TOOL:
        spoken["tool_call_id"] = message.tool_call_id
    if message.tool_calls:
        spoken["content"] = message.content or None
        spoken["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in message.tool_calls
        ]
    return spoken


def take_chunk(chunk: Mapping[str, Any], reception: Reception) -> str:
    """One chunk of a stream; the text in it that may be relayed. Chunks without choices carry only usage."""
    _take_facts(chunk, reception)
    choices = chunk.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(choice, Mapping):
        return ""
    said = _take_message(choice.get("delta") or choice.get("message"), reception)
    _take_finish(choice.get("finish_reason"), reception)
    return said


def take_whole(document: Mapping[str, Any], reception: Reception) -> str:
    """A completion that came in one piece; without a reason for its end it is complete all the same."""
    said = take_chunk(document, reception)
    if reception.finish is None:
        _take_finish("stop", reception)
    return said


def _take_facts(chunk: Mapping[str, Any], reception: Reception) -> None:
    reported = usage.from_openai(chunk.get("usage"))
    if reported is not None:
        reception.usage = reported  # cumulative where it comes on every chunk: the last one counts
    upstream = chunk.get("provider") or chunk.get("model")
    if isinstance(upstream, str):
        reception.upstream = mend(upstream)[:200]


def _take_message(delta: object, reception: Reception) -> str:
    if not isinstance(delta, Mapping):
        return ""
    for fragment in delta.get("tool_calls") or ():
        if isinstance(fragment, Mapping):
            reception.calls.feed(fragment)
    refusal = delta.get("refusal")
    if isinstance(refusal, str):
        reception.refusal += refusal
    for name in REASONING:
        thought = delta.get(name)
        if isinstance(thought, str):
            reception.unseen_bytes += len(mend(thought).encode())
            break
    return reception.say(_text(delta.get("content")))


def _text(content: object) -> str:
    """A text, or the texts of a list of parts; null is absent."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        texts = [part.get("text") for part in content if isinstance(part, Mapping)]
        return "".join(text for text in texts if isinstance(text, str))
    return ""


def _take_finish(reason: object, reception: Reception) -> None:
    if not isinstance(reason, str) or not reason:
        return
    reception.end(FINISHES.get(reason, FinishReason.STOP))
