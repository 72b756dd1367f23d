"""Gemini's generateContent on the wire: what is asked, and what its pieces mean."""

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

ROLES = {Role.USER: "user", Role.ASSISTANT: "model"}
FINISHES = {
    "MAX_TOKENS": FinishReason.LENGTH,
    "SAFETY": FinishReason.CONTENT_FILTER,
    "RECITATION": FinishReason.CONTENT_FILTER,
    "BLOCKLIST": FinishReason.CONTENT_FILTER,
    "PROHIBITED_CONTENT": FinishReason.CONTENT_FILTER,
    "SPII": FinishReason.CONTENT_FILTER,
    "IMAGE_SAFETY": FinishReason.CONTENT_FILTER,
}
UNSIGNED = "skip_thought_signature_validator"
"""What the newer models take in place of the signature of a call that we did not keep."""
MAX_NAME_CHARS = 200
PREFIX = "models/"
GENERATES = "generateContent"


def body(call: ModelCall) -> dict[str, Any]:
    """The system prompt stands apart; results of tools go by the tool's name."""
    system, turns = turns_of(call.messages)
    names = {each.id: each.name for message in call.messages for each in message.tool_calls}
    config: dict[str, Any] = {"maxOutputTokens": call.max_output_tokens}
    if call.temperature is not None:
        config["temperature"] = call.temperature
    asked: dict[str, Any] = {"contents": [_turn(turn, names) for turn in turns], "generationConfig": config}
    if system:
        asked["systemInstruction"] = {"parts": [{"text": system}]}
    if call.tools:
        declared = [
            {"name": tool.name, "description": tool.description, "parametersJsonSchema": tool.parameters}
            for tool in call.tools
        ]
        asked["tools"] = [{"functionDeclarations": declared}]
    return asked


def _turn(turn: Turn, names: Mapping[str, str]) -> dict[str, Any]:
    return {"role": ROLES[turn.role], "parts": [part for said in turn.messages for part in _parts(said, names)]}


def _parts(message: ModelMessage, names: Mapping[str, str]) -> list[dict[str, Any]]:
    if message.tool_call_id is not None:
        name = names.get(message.tool_call_id, "unknown")
        return [{"functionResponse": {"name": name, "response": {"result": message.content}}}]
    parts: list[dict[str, Any]] = [{"text": message.content}] if message.content.strip() else []
    for call in message.tool_calls:
        spoken = {"name": call.name, "args": arguments_object(call.arguments)}
        parts.append({"functionCall": spoken, "thoughtSignature": UNSIGNED})
    return parts


def take_chunk(chunk: Mapping[str, Any], reception: Reception) -> str:
    """One piece of a stream; the text in it that may be relayed. Usage is cumulative: the last one counts."""
    reception.usage = usage.from_gemini(chunk.get("usageMetadata")) or reception.usage
    if isinstance(chunk.get("modelVersion"), str):
        reception.upstream = mend(chunk["modelVersion"])[:MAX_NAME_CHARS]
    if mapping(chunk.get("promptFeedback")).get("blockReason"):
        reception.finish = FinishReason.CONTENT_FILTER
    first = next(iter(rows(chunk.get("candidates"))), {})
    said = "".join(_take_part(part, reception) for part in rows(mapping(first.get("content")).get("parts")))
    _take_finish(first.get("finishReason"), reception)
    return said


def take_whole(document: Mapping[str, Any], reception: Reception) -> str:
    """An answer that came in one piece; without a reason for its end it is complete all the same."""
    said = take_chunk(document, reception)
    if reception.finish is None:
        _take_finish("STOP", reception)
    return said


def _take_part(part: Mapping[str, Any], reception: Reception) -> str:
    call = part.get("functionCall")
    if isinstance(call, Mapping):
        arguments = json.dumps(call.get("args") or {}, ensure_ascii=False)
        # Each call comes whole, often without an id: its place tells it from the others.
        function = {"name": call.get("name"), "arguments": arguments}
        reception.calls.feed({"index": len(reception.calls.drafts), "id": call.get("id"), "function": function})
        return ""
    said = text(part.get("text"))
    if part.get("thought") is True:
        reception.unseen_bytes += len(mend(said).encode())
        return ""
    return reception.say(said)


def _take_finish(reason: object, reception: Reception) -> None:
    if not isinstance(reason, str) or not reason:
        return
    reception.end(FINISHES.get(reason, FinishReason.STOP))


def listed(document: Any) -> tuple[list[ListedModel], str | None]:
    """One page of models that generate text, and the token of the next one."""
    page = mapping(document)
    found = [_model(row) for row in rows(page.get("models")) if _generates(row)]
    return found, text(page.get("nextPageToken")) or None


def _generates(row: Mapping[str, Any]) -> bool:
    methods = row.get("supportedGenerationMethods")
    return 0 < len(text(row.get("name"))) <= MAX_NAME_CHARS and (methods is None or GENERATES in methods)


def _model(row: Mapping[str, Any]) -> ListedModel:
    thinking = row.get("thinking")
    return ListedModel(
        name=row["name"].removeprefix(PREFIX),
        display_name=text(row.get("displayName"))[:MAX_NAME_CHARS],
        context_tokens=whole(row.get("inputTokenLimit")),
        max_output_tokens=whole(row.get("outputTokenLimit")),
        has_reasoning=thinking if isinstance(thinking, bool) else None,
    )
