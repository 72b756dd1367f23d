"""Anthropic's messages on the wire: what is asked, and what its events mean."""

import json
from collections.abc import Mapping
from typing import Any

from api.rooms.gateway.domain import usage
from api.rooms.gateway.domain.characters import mend
from api.rooms.gateway.domain.listing import ListedModel
from api.rooms.gateway.domain.reception import Reception
from api.rooms.gateway.providers.shapes import mapping, rows, text, whole
from api.rooms.gateway.providers.turns import Role, Turn, arguments_object, turns_of
from contracts.routes.model import ModelCall, ModelMessage
from contracts.vocabulary import FinishReason

FINISHES = {
    "max_tokens": FinishReason.LENGTH,
    "model_context_window_exceeded": FinishReason.LENGTH,
    "tool_use": FinishReason.TOOL_CALLS,
}
REFUSED = "refusal"
OPENING = {"role": "user", "content": "…"}
"""The first word must be the user's."""
MAX_NAME_CHARS = 200


def body(call: ModelCall, model: str, *, is_streamed: bool) -> dict[str, Any]:
    """The system prompt stands apart, and all that came between two answers is one turn of the user."""
    system, turns = turns_of(call.messages)
    messages = [_turn(turn) for turn in turns]
    if not messages or messages[0]["role"] != Role.USER:
        messages.insert(0, OPENING)
    asked: dict[str, Any] = {
        "model": model,
        "messages": messages,
        "max_tokens": call.max_output_tokens,
        "stream": is_streamed,
    }
    if system:
        asked["system"] = system
    if call.tools:
        asked["tools"] = [
            {"name": tool.name, "description": tool.description, "input_schema": tool.parameters} for tool in call.tools
        ]
    if call.temperature is not None:
        asked["temperature"] = min(1.0, call.temperature)
    return asked


def _turn(turn: Turn) -> dict[str, Any]:
    return {"role": turn.role.value, "content": [block for message in turn.messages for block in _blocks(message)]}


def _blocks(message: ModelMessage) -> list[dict[str, Any]]:
    if message.tool_call_id is not None:
        return [{"type": "tool_result", "tool_use_id": message.tool_call_id, "content": message.content}]
    blocks: list[dict[str, Any]] = [{"type": "text", "text": message.content}] if message.content.strip() else []
    return blocks + [
        {"type": "tool_use", "id": call.id, "name": call.name, "input": arguments_object(call.arguments)}
        for call in message.tool_calls
    ]


def take_chunk(chunk: Mapping[str, Any], reception: Reception) -> str:
    """One event of a stream; the text in it that may be relayed."""
    match chunk.get("type"):
        case "message_start":
            _take_facts(mapping(chunk.get("message")), reception)
        case "content_block_start":
            return _begin_block(chunk.get("index"), mapping(chunk.get("content_block")), reception)
        case "content_block_delta":
            return _take_delta(chunk.get("index"), mapping(chunk.get("delta")), reception)
        case "content_block_stop":
            reception.calls.close(chunk.get("index"))
        case "message_delta":
            _take_usage(chunk.get("usage"), reception)
            _take_finish(mapping(chunk.get("delta")).get("stop_reason"), reception)
        case "message_stop":
            reception.finish = reception.finish or FinishReason.STOP
    return ""


def take_whole(document: Mapping[str, Any], reception: Reception) -> str:
    """A message that came in one piece; without a reason for its end it is complete all the same."""
    _take_facts(document, reception)
    said = ""
    for index, block in enumerate(rows(document.get("content"))):
        said += _begin_block(index, block, reception)
        reception.calls.close(index)
    _take_finish(document.get("stop_reason") or "end_turn", reception)
    return said


def _take_facts(message: Mapping[str, Any], reception: Reception) -> None:
    _take_usage(message.get("usage"), reception)
    if isinstance(message.get("model"), str):
        reception.upstream = mend(message["model"])[:MAX_NAME_CHARS]


def _begin_block(index: object, block: Mapping[str, Any], reception: Reception) -> str:
    match block.get("type"):
        case "text":
            return reception.say(text(block.get("text")))
        case "tool_use":
            given = block.get("input")
            arguments = json.dumps(given, ensure_ascii=False) if given else ""
            function = {"name": block.get("name"), "arguments": arguments}
            reception.calls.feed({"index": index, "id": block.get("id"), "function": function})
        case "thinking" | "redacted_thinking":
            _not_shown(text(block.get("thinking")) or text(block.get("data")), reception)
    return ""


def _take_delta(index: object, delta: Mapping[str, Any], reception: Reception) -> str:
    match delta.get("type"):
        case "text_delta":
            return reception.say(text(delta.get("text")))
        case "input_json_delta":
            reception.calls.feed({"index": index, "function": {"arguments": delta.get("partial_json")}})
        case "thinking_delta":
            _not_shown(text(delta.get("thinking")), reception)
    return ""


def _not_shown(thought: str, reception: Reception) -> None:
    reception.unseen_bytes += len(mend(thought).encode())


def _take_usage(reported: object, reception: Reception) -> None:
    reception.usage = usage.from_anthropic(reported, reception.usage)


def _take_finish(reason: object, reception: Reception) -> None:
    if not isinstance(reason, str) or not reason:
        return
    if reason == REFUSED:
        reception.refusal = reception.refusal or "stop_reason: refusal"
    reception.finish = FINISHES.get(reason, FinishReason.STOP)


def listed(document: Any) -> tuple[list[ListedModel], str | None]:
    """One page of models, and the id after which the next one begins."""
    page = mapping(document)
    found = [
        ListedModel(
            name=row["id"],
            display_name=text(row.get("display_name"))[:MAX_NAME_CHARS],
            context_tokens=whole(row.get("max_input_tokens")),
            max_output_tokens=whole(row.get("max_tokens")),
            has_tools=True,
        )
        for row in rows(page.get("data"))
        if 0 < len(text(row.get("id"))) <= MAX_NAME_CHARS
    ]
    has_more = bool(found) and page.get("has_more") is True
    return found, found[-1].name if has_more else None
