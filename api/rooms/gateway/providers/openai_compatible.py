"""OpenAI's chat completions, and every server that speaks them."""

from collections.abc import AsyncGenerator
from contextlib import aclosing

from api.rooms.gateway.domain.listing import Capabilities, KeyAnswer, ListedModel
from api.rooms.gateway.domain.reception import Reception
from api.rooms.gateway.providers import exchange, json_requests, lazily, openai_listing, openai_wire
from api.rooms.gateway.providers.provider import Target
from contracts.routes.model import ModelCall

REQUEST = "api.rooms.gateway.providers.openai_request"
OPENROUTER = "openrouter.ai"


class OpenAICompatible:
    """Chat completions over HTTP."""

    name = "openai_compatible"
    is_rehearsal = False
    default_base_url = "https://api.openai.com/v1"
    capabilities = Capabilities()

    def body_bytes(self, call: ModelCall, target: Target) -> int:
        return openai_wire.size(call, target.model)

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
        async with aclosing(exchange.texts(opened, openai_wire, reception)) as pieces:
            async for text in pieces:
                yield text

    async def list_models(self, target: Target) -> tuple[ListedModel, ...]:
        said = await json_requests.ask(target.base_url, "/models", _headers(target))
        return openai_listing.models(said.document())

    async def check_key(self, target: Target) -> KeyAnswer:
        # OpenRouter lists its models to everybody, and answers for a key elsewhere.
        path = "/key" if OPENROUTER in target.base_url else "/models"
        return await json_requests.check_key(target.base_url, path, _headers(target))


def _headers(target: Target) -> dict[str, str]:
    return {"authorization": f"Bearer {target.secret}"} if target.secret else {}
