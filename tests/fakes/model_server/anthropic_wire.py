"""The events and documents of a reply as Anthropic's messages send them."""

import json
from collections.abc import Iterator
from typing import Any

from tests.fakes.model_server.replies import Reply, ToolCall
from tests.fakes.model_server.wire import around, split

Event = dict[str, Any]
DONE: Event | None = {"type": "message_stop"}
FINISHES = {"length": "max_tokens", "stop": "end_turn", "content_filter": "refusal", "tool_calls": "tool_use"}


def is_streamed(path: str, body: Any) -> bool:
    """As the body asks."""
    del path
    return bool(body and body.get("stream"))


def usage_of(reply: Reply, *names: str) -> Event:
    """The input excludes what the cache held; without a report there is none of the fields."""
    if reply.usage == "none":
        return {}
    if reply.usage == "zeros":
        return dict.fromkeys(names, 0)
    figures = {
        "input_tokens": reply.prompt_tokens - reply.cached_tokens,
        "cache_read_input_tokens": reply.cached_tokens,
        "cache_creation_input_tokens": 0,
        "output_tokens": reply.completion_tokens,
    }
    return {name: figures[name] for name in names}


def finish_of(reply: Reply) -> str | None:
    """Their word for how it ended."""
    if reply.finish is None:
        return None
    if reply.refusal:
        return "refusal"
    known = "tool_calls" if reply.tool_calls else "stop"
    return FINISHES.get(known if reply.finish == "auto" else reply.finish, reply.finish)


def chunks(reply: Reply) -> list[Event]:
    """All events of a stream but the last."""
    found = [reply.first_event] if reply.first_event is not None else []
    told = usage_of(reply, "input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
    start = {"id": "msg_1", "type": "message", "role": "assistant", "model": "fake", "content": []}
    found.append({"type": "message_start", "message": {**start, "usage": told}})
    blocks = [*_thoughts(reply), *_texts(reply), *(_tool(call) for call in reply.tool_calls)]
    for index, (begun, deltas) in enumerate(blocks):
        found.append({"type": "content_block_start", "index": index, "content_block": begun})
        found += [{"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas]
        found.append({"type": "content_block_stop", "index": index})
    finish = finish_of(reply)
    if finish is not None:
        usage = usage_of(reply, "output_tokens")
        found.append({"type": "message_delta", "delta": {"stop_reason": finish}, **({"usage": usage} if usage else {})})
    return found


Block = tuple[Event, list[Event]]


def _thoughts(reply: Reply) -> Iterator[Block]:
    if reply.reasoning:
        deltas = [{"type": "thinking_delta", "thinking": part} for part in split(reply.reasoning, None)]
        yield {"type": "thinking", "thinking": ""}, [*deltas, {"type": "signature_delta", "signature": "c2ln"}]


def _texts(reply: Reply) -> Iterator[Block]:
    if reply.text:
        deltas = [{"type": "text_delta", "text": part} for part in split(reply.text, reply.pieces)]
        yield {"type": "text", "text": ""}, deltas


def _tool(call: ToolCall) -> Block:
    parts = split(call.arguments or "", call.pieces)
    deltas = [{"type": "input_json_delta", "partial_json": part} for part in parts]
    return {"type": "tool_use", "id": call.id, "name": call.name, "input": {}}, deltas


def document(reply: Reply) -> Event:
    """The whole answer in one piece; arguments must be an object here."""
    content: list[Event] = [{"type": "text", "text": reply.text}] if reply.text else []
    for call in reply.tool_calls:
        given = json.loads(call.arguments or "{}")
        content.append({"type": "tool_use", "id": call.id, "name": call.name, "input": given})
    names = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens", "output_tokens")
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "fake",
        "content": content,
        "stop_reason": finish_of(reply),
        "usage": usage_of(reply, *names),
    }


def event(payload: Event | str, reply: Reply) -> bytes:
    """Named after its type."""
    text = payload if isinstance(payload, str) else json.dumps(payload, ensure_ascii=False)
    name = payload.get("type", "message") if isinstance(payload, dict) else "message"
    return around(f"event: {name}{reply.newline}data: {text}", reply)
