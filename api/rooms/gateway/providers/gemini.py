"""Google's Gemini: plain HTTP on its route for server-sent events."""

import json
from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from urllib.parse import quote

import httpx2

from api.rooms.gateway.domain import base_urls
from api.rooms.gateway.domain.listing import KeyAnswer, ListedModel
from api.rooms.gateway.domain.reception import Reception
from api.rooms.gateway.providers import exchange, gemini_wire, json_requests, transport
from api.rooms.gateway.providers.over_http import OverHttp
from api.rooms.gateway.providers.provider import Target
from contracts.routes.model import ModelCall

STREAMED, WHOLE = "streamGenerateContent?alt=sse", "generateContent"
PAGE = "/models?pageSize=1000"


class Gemini(OverHttp):
    """generateContent; the key travels in a header, never in the address."""

    name = "gemini"
    default_base_url = "https://generativelanguage.googleapis.com/v1beta"
    wire = gemini_wire

    def body_bytes(self, call: ModelCall, target: Target) -> int:  # noqa: ARG002 - the model is in the address
        return len(_body(call))

    async def opened(
        self, call: ModelCall, target: Target, reception: Reception, *, is_streamed: bool
    ) -> AbstractAsyncContextManager[httpx2.Response]:
        return _opened(call, target, reception, is_streamed=is_streamed)

    async def list_models(self, target: Target) -> tuple[ListedModel, ...]:
        headers = _headers(target)
        return await json_requests.pages(target.base_url, PAGE, headers, gemini_wire.listed, "pageToken")

    async def check_key(self, target: Target) -> KeyAnswer:
        return await json_requests.check_key(target.base_url, "/models?pageSize=1", _headers(target))


def _headers(target: Target) -> dict[str, str]:
    return {"x-goog-api-key": target.secret} if target.secret else {}


def _body(call: ModelCall) -> bytes:
    return json.dumps(gemini_wire.body(call), ensure_ascii=False, separators=(",", ":")).encode()


@asynccontextmanager
async def _opened(
    call: ModelCall, target: Target, reception: Reception, *, is_streamed: bool
) -> AsyncGenerator[httpx2.Response, None]:
    """The response once its headers are there."""
    url = f"{target.base_url}/models/{quote(target.model, safe='')}:{STREAMED if is_streamed else WHOLE}"
    headers = {"content-type": "application/json", **_headers(target)}
    async with transport.client(is_private=base_urls.is_private(target.base_url)) as http:
        request = http.build_request("POST", url, content=_body(call), headers=headers)
        try:
            response = await http.send(request, stream=True)
            if not response.is_success:
                await response.aread()
        except httpx2.HTTPError as error:
            raise transport.failure_of(error, has_headers=False) from error
        try:
            if not response.is_success:
                reception.is_rejected = True
                raise exchange.refusal(response.status_code, response.headers, response.text)
            yield response
        finally:
            await response.aclose()
