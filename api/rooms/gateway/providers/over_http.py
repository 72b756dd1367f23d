"""What every provider over HTTP does alike: ask, and give out the text that its wire format holds in the answer."""

from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator
from contextlib import aclosing, asynccontextmanager

import httpx2

from api.rooms.gateway.domain import base_urls
from api.rooms.gateway.domain.listing import Capabilities
from api.rooms.gateway.domain.reception import Reception
from api.rooms.gateway.providers import asking, exchange, lines
from api.rooms.gateway.providers.asking import Question
from api.rooms.gateway.providers.exchange import Wire
from api.rooms.gateway.providers.lines import Line
from api.rooms.gateway.providers.provider import ProviderFailure, Target
from contracts.routes.model import ModelCall


class OverHttp(ABC):
    """A provider says what it is asked and what its documents mean."""

    is_rehearsal = False
    capabilities = Capabilities()
    wire: Wire

    @abstractmethod
    def question(self, call: ModelCall, target: Target, *, is_streamed: bool) -> Question:
        """The request of a call; its body is what the hold was measured by."""

    def body_bytes(self, call: ModelCall, target: Target) -> int:
        return len(self.question(call, target, is_streamed=True).body)

    async def asked(self, line: Line, call: ModelCall, target: Target, *, is_streamed: bool) -> httpx2.Response:
        """The response once its headers are there. Raises ProviderFailure."""
        return await asking.asked(line, self.question(call, target, is_streamed=is_streamed))

    async def stream(
        self,
        call: ModelCall,
        target: Target,
        reception: Reception,
        attempt: int,  # noqa: ARG002 - the protocol's; the rehearsal uses it
        *,
        is_streamed: bool,
    ) -> AsyncGenerator[str, None]:
        opened = self._opened(call, target, reception, is_streamed=is_streamed)
        async with aclosing(exchange.texts(opened, self.wire, reception)) as pieces:
            async for text in pieces:
                yield text

    @asynccontextmanager
    async def _opened(
        self, call: ModelCall, target: Target, reception: Reception, *, is_streamed: bool
    ) -> AsyncGenerator[httpx2.Response, None]:
        """Leaving it early closes the provider's socket."""
        async with lines.line(target.base_url, is_private=base_urls.is_private(target.base_url)) as line:
            try:
                response = await self.asked(line, call, target, is_streamed=is_streamed)
            except ProviderFailure as failure:
                reception.is_rejected = failure.status is not None
                raise
            yield response
