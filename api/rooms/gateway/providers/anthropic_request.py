"""One request to Anthropic's messages, sent and refused through the SDK."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import anthropic
import httpx2

from api.rooms.gateway.domain import base_urls
from api.rooms.gateway.domain.reception import Reception
from api.rooms.gateway.providers import anthropic_wire, exchange, transport
from api.rooms.gateway.providers.provider import Target
from contracts.routes.model import ModelCall


@asynccontextmanager
async def opened(
    call: ModelCall, target: Target, reception: Reception, *, is_streamed: bool
) -> AsyncGenerator[httpx2.Response, None]:
    """The response once its headers are there."""
    async with transport.client(is_private=base_urls.is_private(target.base_url)) as http:
        sdk = anthropic.AsyncAnthropic(
            api_key=target.secret or "none", base_url=target.base_url, max_retries=0, http_client=http
        )
        manager = _asked(sdk, call, target, is_streamed=is_streamed)
        try:
            response = await manager.__aenter__()
        except anthropic.APIStatusError as error:
            reception.is_rejected = True
            raise exchange.refusal(error.status_code, error.response.headers, error.response.text) from error
        except anthropic.APIConnectionError as error:
            raise transport.failure_of(error.__cause__ or error, has_headers=False) from error
        try:
            yield response.http_response
        finally:
            await manager.__aexit__(None, None, None)


def _asked(sdk: anthropic.AsyncAnthropic, call: ModelCall, target: Target, *, is_streamed: bool) -> Any:
    body = anthropic_wire.body(call, target.model, is_streamed=is_streamed)
    # The key goes by the header that every server of this format knows, proxies included.
    key: dict[str, Any] = {"X-Api-Key": target.secret} if target.secret else {}
    # As extra_body the request goes out as it is: the SDK's own way walks through every message again.
    return sdk.messages.with_streaming_response.create(
        model=target.model,
        max_tokens=call.max_output_tokens,
        messages=(),
        stream=is_streamed,
        extra_body=body,
        extra_headers={"Authorization": anthropic.Omit(), **key},
    )
