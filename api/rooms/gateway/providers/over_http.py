"""What every provider over HTTP does alike: open its response, and give out the text that its wire format holds."""

from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, aclosing

import httpx2

from api.rooms.gateway.domain.listing import Capabilities
from api.rooms.gateway.domain.reception import Reception
from api.rooms.gateway.providers import exchange
from api.rooms.gateway.providers.exchange import Wire
from api.rooms.gateway.providers.provider import Target
from contracts.routes.model import ModelCall


class OverHttp(ABC):
    """A provider says how its response is opened and what its documents mean."""

    is_rehearsal = False
    capabilities = Capabilities()
    wire: Wire

    @abstractmethod
    async def opened(
        self, call: ModelCall, target: Target, reception: Reception, *, is_streamed: bool
    ) -> AbstractAsyncContextManager[httpx2.Response]:
        """The response once its headers are there; leaving it closes the provider's socket."""

    async def stream(
        self,
        call: ModelCall,
        target: Target,
        reception: Reception,
        attempt: int,  # noqa: ARG002 - the protocol's; the rehearsal uses it
        *,
        is_streamed: bool,
    ) -> AsyncGenerator[str, None]:
        opened = await self.opened(call, target, reception, is_streamed=is_streamed)
        async with aclosing(exchange.texts(opened, self.wire, reception)) as pieces:
            async for text in pieces:
                yield text
