"""One question to a provider over HTTP, and its refusal when that is the answer."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import httpx2

from api.rooms.gateway.domain import retry_after
from api.rooms.gateway.domain.failure_classes import classify, signs_of
from api.rooms.gateway.providers.lines import Line
from api.rooms.gateway.providers.provider import ProviderFailure
from api.rooms.gateway.providers.transport import failure_of, read
from api.rooms.kernel.clock import now

MAX_REFUSAL_BYTES = 1024 * 1024
"""A refusal may be as endless as an answer."""


@dataclass(frozen=True)
class Question:
    """A POST of one JSON document."""

    url: str
    headers: Mapping[str, str]
    body: bytes


def compact(document: Mapping[str, Any]) -> bytes:
    """As it is sent, and as it is measured for the hold."""
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()


async def asked(line: Line, question: Question) -> httpx2.Response:
    """The response once its headers are there. Raises ProviderFailure, with its status when that says no."""
    headers = {"content-type": "application/json", "accept": "application/json, text/event-stream", **question.headers}
    try:
        response = await line.send("POST", question.url, headers, question.body)
        if response.is_success:
            return response
        words, _ = await read(response, MAX_REFUSAL_BYTES)
    except httpx2.HTTPError as error:
        raise failure_of(error, has_headers=False) from error
    raise refusal(response.status_code, response.headers, words.decode("utf-8-sig", "replace"))


def refusal(status: int, headers: Mapping[str, str], text: str) -> ProviderFailure:
    """A status that is an error, with what the body says of it where that is JSON."""
    try:
        body = json.loads(text)
    except ValueError:
        body = None
    if isinstance(body, list) and len(body) == 1:
        body = body[0]  # Gemini wraps a refusal in a list
    wait_s = retry_after.parse(headers, now(), body)
    return ProviderFailure(classify(signs_of(body, status)), text, retry_after_s=wait_s, status=status)
