"""Anthropic's messages."""

from collections.abc import AsyncGenerator
from contextlib import aclosing

from api.rooms.gateway.domain.listing import Capabilities, KeyAnswer, ListedModel
from api.rooms.gateway.domain.reception import Reception
from api.rooms.gateway.providers import anthropic_wire, exchange, json_requests, lazily
from api.rooms.gateway.providers.provider import Target
from contracts.routes.model import ModelCall

REQUEST = "api.rooms.gateway.providers.anthropic_request"
VERSION = "2023-06-01"
PAGE = "/v1/models?limit=1000"
MAX_PAGES = 20


class Anthropic:
    """Messages over HTTP; the address is without `/v1`."""

    name = "anthropic"
    is_rehearsal = False
    default_base_url = "https://api.anthropic.com"
    capabilities = Capabilities()

    def body_bytes(self, call: ModelCall, target: Target) -> int:
        return anthropic_wire.size(call, target.model)

    async def stream(
        self,
        call: ModelCall,
        target: Target,
        reception: Reception,
        attempt: int,  # noqa: ARG002 - the protocol's; the rehearsal uses it
        *,
        is_streamed: bool,
    ) -> AsyncGenerator[str, None]:
        request = await lazily.module(REQUEST)
        opened = request.opened(call, target, reception, is_streamed=is_streamed)
        async with aclosing(exchange.texts(opened, anthropic_wire, reception)) as pieces:
            async for text in pieces:
                yield text

    async def list_models(self, target: Target) -> tuple[ListedModel, ...]:
        found: list[ListedModel] = []
        path = PAGE
        for _ in range(MAX_PAGES):
            said = await json_requests.ask(target.base_url, path, _headers(target))
            models, last = anthropic_wire.listed(said.document())
            found += models
            if last is None:
                break
            path = f"{PAGE}&after_id={last}"
        return tuple(found)

    async def check_key(self, target: Target) -> KeyAnswer:
        return await json_requests.check_key(target.base_url, "/v1/models?limit=1", _headers(target))


def _headers(target: Target) -> dict[str, str]:
    key = {"x-api-key": target.secret} if target.secret else {}
    return {"anthropic-version": VERSION, **key}
