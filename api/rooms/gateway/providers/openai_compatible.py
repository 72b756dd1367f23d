"""OpenAI's chat completions, and every server that speaks them."""

import asyncio
import sys
from collections.abc import AsyncGenerator
from contextlib import aclosing
from importlib import import_module

from api.rooms.gateway.domain.reception import Reception
from api.rooms.gateway.providers import openai_wire
from api.rooms.gateway.providers.provider import Target
from contracts.routes.model import ModelCall

REQUEST = "api.rooms.gateway.providers.openai_request"


class OpenAICompatible:
    """Chat completions over HTTP."""

    name = "openai_compatible"
    is_rehearsal = False

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
        # The SDK takes a second of CPU to import: off the loop, and only by a process that calls a model.
        if REQUEST not in sys.modules:
            await asyncio.to_thread(import_module, REQUEST)
        from api.rooms.gateway.providers import openai_request

        async with aclosing(openai_request.texts(call, target, reception, is_streamed=is_streamed)) as pieces:
            async for text in pieces:
                yield text
