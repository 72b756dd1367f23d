"""A provider's answer as JSON objects: server-sent events by the WHATWG rules on bytes, or one document."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import httpx2

from api.rooms.gateway.domain.failure_classes import classify, signs_of
from api.rooms.gateway.domain.reception import Reception
from api.rooms.gateway.providers.provider import ProviderFailure
from api.rooms.gateway.providers.transport import failure_of, read
from contracts.failures import ErrorCode
from contracts.limits import MAX_DIAGNOSIS_CHARS, MAX_PROVIDER_EVENT_BYTES

DONE = "[DONE]"
SILENT_EVENTS = frozenset({"ping", "heartbeat", "keepalive", "keep-alive"})
GRACE_S = 5.0
"""How long a stream may be silent after the reason for its end: the usage may still come."""
END_S = 0.02
"""How long the end of the body may take after `[DONE]`: with it the connection may be used again."""
MAX_ANSWER_BYTES = 32 * 1024 * 1024

JsonObject = dict[str, Any]


def is_event_stream(response: httpx2.Response) -> bool:
    """A server that forgets the media type of its stream is forgiven; a page or one JSON document is not a stream."""
    media = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media in ("", "text/plain", "application/octet-stream", "application/x-ndjson"):
        response.headers["content-type"] = media = "text/event-stream"
    return bool(media == "text/event-stream")


async def documents(response: httpx2.Response, reception: Reception) -> AsyncIterator[JsonObject]:
    """The stream's JSON objects until its end. Raises ProviderFailure for an error object and for a broken stream."""
    response.encoding = "utf-8-sig"  # an event stream is UTF-8 whatever its header says, a leading mark is no data
    is_done = False
    try:
        async with asyncio.timeout(None) as grace:
            async for event in httpx2.EventSource(response, MAX_PROVIDER_EVENT_BYTES):
                if is_done:
                    break  # whatever follows the end is no part of the answer
                is_done = event.data.strip() == DONE
                if not is_done and _says_something(event, reception):
                    yield parse(event.data, reception)
                grace.reschedule(_silent_until(reception, is_done=is_done))
    except (httpx2.HTTPError, TimeoutError) as error:
        if reception.finish is None and not is_done:
            raise failure_of(error, has_headers=True) from error
    if not is_done and reception.finish is None:
        raise ProviderFailure(ErrorCode.STREAM_INCOMPLETE, "The stream ended without a reason and without [DONE].")


def _silent_until(reception: Reception, *, is_done: bool) -> float | None:
    """Null while the answer goes on: then the transport's own patience counts."""
    if not is_done and reception.finish is None:
        return None
    return asyncio.get_running_loop().time() + (END_S if is_done else GRACE_S)


def _says_something(event: httpx2.ServerSentEvent, reception: Reception) -> bool:
    """Once the answer is whole, what a server adds that is no JSON spoils nothing."""
    if not event.data or event.event in SILENT_EVENTS:
        return False
    return reception.finish is None or event.data.lstrip().startswith(("{", "["))


async def whole(response: httpx2.Response, reception: Reception) -> JsonObject:
    """A body that is one JSON document; anything else, such as a proxy's page, is no model's answer."""
    try:
        body, is_whole = await read(response, MAX_ANSWER_BYTES)
    except httpx2.HTTPError as error:
        raise failure_of(error, has_headers=True) from error
    if not is_whole:
        raise ProviderFailure(ErrorCode.NOT_A_MODEL_ANSWER, f"The answer is larger than {MAX_ANSWER_BYTES} bytes.")
    text = body.decode("utf-8-sig", "replace")
    media = response.headers.get("content-type", "")
    if "json" not in media and not text.lstrip().startswith("{"):
        raise ProviderFailure(ErrorCode.NOT_A_MODEL_ANSWER, f"{media}\n{text}")
    return parse(text, reception)


def parse(text: str, reception: Reception) -> JsonObject:
    """One JSON object. An error object becomes a failure, told by its type and code."""
    try:
        document = json.loads(text)
    except ValueError:
        raise ProviderFailure(ErrorCode.UNKNOWN_FAILURE, text[: MAX_DIAGNOSIS_CHARS * 2]) from None
    if isinstance(document, list) and len(document) == 1:
        document = document[0]  # Gemini wraps a refusal in a list
    if not isinstance(document, dict):
        raise ProviderFailure(ErrorCode.UNKNOWN_FAILURE, text[: MAX_DIAGNOSIS_CHARS * 2])
    if document.get("error"):
        reception.is_rejected = reception.is_empty
        raise ProviderFailure(classify(signs_of(document)), text[: MAX_DIAGNOSIS_CHARS * 2])
    return document
