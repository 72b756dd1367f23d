"""The pieces and documents of a reply as Gemini's generateContent sends them."""

import json
from typing import Any

from tests.fakes.model_server.replies import Reply
from tests.fakes.model_server.wire import around, split

Piece = dict[str, Any]
DONE: Piece | None = None
FINISHES = {"length": "MAX_TOKENS", "content_filter": "SAFETY", "stop": "STOP", "tool_calls": "STOP", "auto": "STOP"}


def is_streamed(path: str, body: Any) -> bool:
    """As the address asks."""
    del body
    return ":streamGenerateContent" in path


def usage_of(reply: Reply, share: float = 1.0) -> Piece:
    """Thoughts come on top of the candidates; the cache is a part of the prompt."""
    if reply.usage == "none":
        return {}
    if reply.usage == "zeros":
        return {"usageMetadata": {"promptTokenCount": 0, "candidatesTokenCount": 0, "totalTokenCount": 0}}
    thoughts = reply.reasoning_tokens
    output = round((reply.completion_tokens - thoughts) * share)
    figures = {"promptTokenCount": reply.prompt_tokens, "candidatesTokenCount": output}
    figures |= {"thoughtsTokenCount": thoughts} if thoughts else {}
    figures |= {"cachedContentTokenCount": reply.cached_tokens} if reply.cached_tokens else {}
    return {"usageMetadata": figures | {"totalTokenCount": reply.prompt_tokens + output + thoughts}}


def piece(parts: list[Piece], finish: str | None = None, **more: Any) -> Piece:
    """One candidate's next parts."""
    candidate: Piece = {"content": {"role": "model", "parts": parts}, "index": 0}
    candidate |= {"finishReason": finish} if finish else {}
    return {"candidates": [candidate], "modelVersion": "fake", **more}


def finish_of(reply: Reply) -> str | None:
    """Their word for how it ended."""
    return None if reply.finish is None else FINISHES.get(reply.finish, reply.finish)


def _calls(reply: Reply) -> list[Piece]:
    return [
        {"functionCall": {"name": call.name, "args": json.loads(call.arguments or "{}")}} for call in reply.tool_calls
    ]


def chunks(reply: Reply) -> list[Piece]:
    """All pieces of a stream; the usage grows from piece to piece, as it does there."""
    found = [reply.first_event] if reply.first_event is not None else []
    found += [piece([{"text": part, "thought": True}]) for part in split(reply.reasoning, None)]
    found += [piece([{"text": part}]) for part in split(reply.text, reply.pieces)]
    found += [piece([call]) for call in _calls(reply)]
    if reply.usage == "every_chunk":
        for number, each in enumerate(found, 1):
            each.update(usage_of(reply, number / len(found)))
    finish = finish_of(reply)
    return [*found, piece([{"text": ""}], finish, **usage_of(reply))] if finish else found


def document(reply: Reply) -> Piece:
    """The whole answer in one piece."""
    parts: list[Piece] = [{"text": reply.text}] if reply.text else []
    return piece([*parts, *_calls(reply)], finish_of(reply), **usage_of(reply))


def event(payload: Piece | str, reply: Reply) -> bytes:
    """A bare data line."""
    text = payload if isinstance(payload, str) else json.dumps(payload, ensure_ascii=False)
    return around(f"data: {text}", reply)
