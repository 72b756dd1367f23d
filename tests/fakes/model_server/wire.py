"""The chunks and documents of a reply as OpenAI's chat completions send them."""

import json
from collections.abc import Iterator
from typing import Any

from tests.fakes.model_server.replies import Reply, ToolCall

Chunk = dict[str, Any]
DONE: Chunk | str | None = "[DONE]"


def is_streamed(path: str, body: Any) -> bool:
    """As the body asks."""
    del path
    return bool(body and body.get("stream"))


def split(text: str, pieces: int | None) -> list[str]:
    """Words with their spaces, or this many equal parts."""
    if not text:
        return []
    if pieces is None:
        words = text.split(" ")
        return [word + " " for word in words[:-1]] + [words[-1]]
    size = max(1, -(-len(text) // pieces))
    return [text[at : at + size] for at in range(0, len(text), size)]


def chunk(delta: dict[str, Any] | None, finish: str | None = None, **more: Any) -> Chunk:
    choices = [] if delta is None else [{"index": 0, "delta": delta, "finish_reason": finish}]
    return {"id": "chatcmpl-1", "object": "chat.completion.chunk", "model": "fake", "choices": choices, **more}


def usage_of(reply: Reply, share: float = 1.0) -> dict[str, Any]:
    if reply.usage == "zeros":
        return {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}
    output = round(reply.completion_tokens * share)
    return {
        "prompt_tokens": reply.prompt_tokens,
        "completion_tokens": output,
        "total_tokens": reply.prompt_tokens + output,
        "prompt_tokens_details": {"cached_tokens": reply.cached_tokens},
        "completion_tokens_details": {"reasoning_tokens": reply.reasoning_tokens},
    }


def finish_of(reply: Reply) -> str | None:
    if reply.finish != "auto":
        return reply.finish
    return "tool_calls" if reply.tool_calls else "stop"


def _fragments(call: ToolCall) -> list[dict[str, Any]]:
    place = {} if call.index is None else {"index": call.index}
    named = {} if call.id is None else {"id": call.id}
    first = {**place, **named, "type": "function", "function": {"name": call.name, "arguments": ""}}
    if call.arguments is None:
        return [first | {"function": {"name": call.name, "arguments": None}}]
    rest = [
        {**place, **(named if call.repeats_id else {}), "function": {"arguments": part}}
        for part in split(call.arguments, call.pieces)
    ]
    return [first, *rest]


def _tool_chunks(reply: Reply) -> Iterator[Chunk]:
    rows = [_fragments(call) for call in reply.tool_calls]
    if reply.is_interleaved:
        longest = max((len(row) for row in rows), default=0)
        order = [row[at] for at in range(longest) for row in rows if at < len(row)]
    else:
        order = [fragment for row in rows for fragment in row]
    for fragment in order:
        yield chunk({"tool_calls": [fragment]})


def chunks(reply: Reply) -> list[Chunk]:
    """All chunks of a stream but [DONE]."""
    found = [chunk(None, prompt_filter_results=[])] if reply.is_azure else []
    if reply.first_event is not None:
        found.append(reply.first_event)
    found.append(chunk({"role": "assistant", "content": None if reply.tool_calls else ""}))
    found += [chunk({"reasoning_content": part}) for part in split(reply.reasoning, None)]
    found += [chunk({"content": part}) for part in split(reply.text, reply.pieces)]
    found += [chunk({"refusal": part}) for part in split(reply.refusal, None)]
    found += list(_tool_chunks(reply))
    if reply.usage == "every_chunk":
        for number, each in enumerate(found, 1):
            each["usage"] = usage_of(reply, number / len(found))
    finish = finish_of(reply)
    if finish is not None:
        found.append(chunk({}, finish, **({"usage": usage_of(reply)} if reply.usage == "with_finish" else {})))
    if reply.usage in ("last_chunk", "zeros"):
        found.append(chunk(None, usage=usage_of(reply)))
    return found


def document(reply: Reply) -> Chunk:
    """The whole answer in one piece."""
    calls = [
        {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
        for call in reply.tool_calls
    ]
    message: dict[str, Any] = {"role": "assistant", "content": reply.text or None}
    if calls:
        message["tool_calls"] = calls
    if reply.refusal:
        message["refusal"] = reply.refusal
    whole: Chunk = {"id": "chatcmpl-1", "object": "chat.completion", "model": "fake"}
    whole["choices"] = [{"index": 0, "message": message, "finish_reason": finish_of(reply)}]
    if reply.usage != "none":
        whole["usage"] = usage_of(reply)
    return whole


def event(payload: Chunk | str, reply: Reply) -> bytes:
    text = payload if isinstance(payload, str) else json.dumps(payload, ensure_ascii=False)
    return around(f"data: {text}", reply)


def around(lines: str, reply: Reply) -> bytes:
    """One event with the noise that servers put between events."""
    end = reply.newline
    extra = f": ping{end}{end}event: ping{end}data:{end}{end}id: 7{end}retry: 100{end}{end}" if reply.comments else ""
    return f"{extra}{lines}{end}{end}".encode("utf-8", "surrogatepass")
