"""One request to a server that speaks chat completions, sent and refused through the SDK."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import openai
from openai import AsyncOpenAI

from api.rooms.gateway.domain import base_urls
from api.rooms.gateway.domain.reception import Reception
from api.rooms.gateway.providers import exchange, openai_wire, transport
from api.rooms.gateway.providers.openai_dialects import dialect_of, learn
from api.rooms.gateway.providers.provider import Target
from contracts.routes.model import ModelCall


@asynccontextmanager
async def opened(
    call: ModelCall, target: Target, reception: Reception, *, is_streamed: bool
) -> AsyncGenerator[httpx2.Response, None]:
    """The response once its headers are there."""
    async with transport.client(is_private=base_urls.is_private(target.base_url)) as http:
        sdk = AsyncOpenAI(api_key=target.secret or "none", base_url=target.base_url, max_retries=0, http_client=http)
        manager = await _sent(sdk, call, target, reception, is_streamed=is_streamed)
        try:
            yield manager.response
        finally:
            await manager.manager.__aexit__(None, None, None)


class _Sent:
    """A response, and what closes it."""

    def __init__(self, manager: Any, response: httpx2.Response) -> None:
        self.manager, self.response = manager, response


async def _sent(sdk: AsyncOpenAI, call: ModelCall, target: Target, reception: Reception, *, is_streamed: bool) -> _Sent:
    """Asks again, once for each, without what this server does not know."""
    dialect = dialect_of(target)
    while True:
        body = openai_wire.body(call, target.model, dialect, is_streamed=is_streamed)
        try:
            return await _send(sdk, body, target, is_streamed=is_streamed)
        except openai.APIStatusError as error:
            other = learn(target, dialect, error.status_code, error.response.text)
            if other is None:
                reception.is_rejected = True
                raise exchange.refusal(error.status_code, error.response.headers, error.response.text) from error
            dialect = other
        except openai.APIConnectionError as error:
            raise transport.failure_of(error.__cause__ or error, has_headers=False) from error


async def _send(sdk: AsyncOpenAI, body: dict[str, Any], target: Target, *, is_streamed: bool) -> _Sent:
    headers = {} if target.secret else {"Authorization": openai.Omit()}
    # As extra_body the request goes out as it is: the SDK's own way walks through every message again.
    manager = sdk.chat.completions.with_streaming_response.create(
        model=target.model, messages=(), stream=is_streamed, extra_body=body, extra_headers=headers
    )
    response = await manager.__aenter__()
    return _Sent(manager, response.http_response)
