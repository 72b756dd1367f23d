"""OpenAI's chat completions, and every server that speaks them."""

from contextlib import AbstractAsyncContextManager

import httpx2

from api.rooms.gateway.domain.listing import KeyAnswer, ListedModel
from api.rooms.gateway.domain.reception import Reception
from api.rooms.gateway.providers import json_requests, lazily, openai_listing, openai_wire
from api.rooms.gateway.providers.over_http import OverHttp
from api.rooms.gateway.providers.provider import Target
from contracts.routes.model import ModelCall

REQUEST = "api.rooms.gateway.providers.openai_request"
OPENROUTER = "openrouter.ai"


class OpenAICompatible(OverHttp):
    """Chat completions over HTTP."""

    name = "openai_compatible"
    default_base_url = "https://api.openai.com/v1"
    wire = openai_wire

    def body_bytes(self, call: ModelCall, target: Target) -> int:
        return openai_wire.size(call, target.model)

    async def opened(
        self, call: ModelCall, target: Target, reception: Reception, *, is_streamed: bool
    ) -> AbstractAsyncContextManager[httpx2.Response]:
        request = await lazily.module(REQUEST)
        opened: AbstractAsyncContextManager[httpx2.Response] = request.opened(
            call, target, reception, is_streamed=is_streamed
        )
        return opened

    async def list_models(self, target: Target) -> tuple[ListedModel, ...]:
        said = await json_requests.ask(target.base_url, "/models", _headers(target))
        return openai_listing.models(said.document())

    async def check_key(self, target: Target) -> KeyAnswer:
        # OpenRouter lists its models to everybody, and answers for a key elsewhere.
        path = "/key" if OPENROUTER in target.base_url else "/models"
        return await json_requests.check_key(target.base_url, path, _headers(target))


def _headers(target: Target) -> dict[str, str]:
    return {"authorization": f"Bearer {target.secret}"} if target.secret else {}
