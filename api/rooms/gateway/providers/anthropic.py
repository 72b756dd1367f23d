"""Anthropic's messages."""

from contextlib import AbstractAsyncContextManager

import httpx2

from api.rooms.gateway.domain.listing import KeyAnswer, ListedModel
from api.rooms.gateway.domain.reception import Reception
from api.rooms.gateway.providers import anthropic_wire, json_requests, lazily
from api.rooms.gateway.providers.over_http import OverHttp
from api.rooms.gateway.providers.provider import Target
from contracts.routes.model import ModelCall

REQUEST = "api.rooms.gateway.providers.anthropic_request"
VERSION = "2023-06-01"
PAGE = "/v1/models?limit=1000"


class Anthropic(OverHttp):
    """Messages over HTTP; the address is without `/v1`."""

    name = "anthropic"
    default_base_url = "https://api.anthropic.com"
    wire = anthropic_wire

    def body_bytes(self, call: ModelCall, target: Target) -> int:
        return anthropic_wire.size(call, target.model)

    async def opened(
        self, call: ModelCall, target: Target, reception: Reception, *, is_streamed: bool
    ) -> AbstractAsyncContextManager[httpx2.Response]:
        request = await lazily.module(REQUEST)
        opened: AbstractAsyncContextManager[httpx2.Response] = request.opened(
            call, target, reception, is_streamed=is_streamed
        )
        return opened

    async def list_models(self, target: Target) -> tuple[ListedModel, ...]:
        headers = _headers(target)
        return await json_requests.pages(target.base_url, PAGE, headers, anthropic_wire.listed, "after_id")

    async def check_key(self, target: Target) -> KeyAnswer:
        return await json_requests.check_key(target.base_url, "/v1/models?limit=1", _headers(target))


def _headers(target: Target) -> dict[str, str]:
    key = {"x-api-key": target.secret} if target.secret else {}
    return {"anthropic-version": VERSION, **key}
