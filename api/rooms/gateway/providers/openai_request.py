"""One request to a server that speaks chat completions: sent and refused through the SDK, read by us."""

from collections.abc import AsyncGenerator
from typing import Any

import httpx2
import openai
from openai import AsyncOpenAI

from api.rooms.gateway.domain import base_urls
from api.rooms.gateway.domain.failure_classes import classify, signs_of
from api.rooms.gateway.domain.reception import Reception
from api.rooms.gateway.domain.retry_after import parse as parse_retry_after
from api.rooms.gateway.providers import openai_wire, stream_reader, transport
from api.rooms.gateway.providers.openai_dialects import Dialect, dialect_of, learn
from api.rooms.gateway.providers.provider import ProviderFailure, Target
from api.rooms.kernel.clock import now
from contracts.failures import ErrorCode
from contracts.routes.model import ModelCall

MAX_ANSWER_BYTES = 32 * 1024 * 1024


async def texts(
    call: ModelCall, target: Target, reception: Reception, *, is_streamed: bool
) -> AsyncGenerator[str, None]:
    """The answer's text as it comes; everything else of it is in `reception`."""
    async with transport.client(is_private=base_urls.is_private(target.base_url)) as http:
        sdk = _sdk(target, http)
        async with _Opened(sdk, call, target, reception, is_streamed=is_streamed) as response:
            reading = _read(response, reception)
            try:
                async for text in reading:
                    yield text
            finally:
                await reading.aclose()
    rest = reception.end_text()
    if rest:
        yield rest


def _sdk(target: Target, http: httpx2.AsyncClient) -> AsyncOpenAI:
    return AsyncOpenAI(api_key=target.secret or "none", base_url=target.base_url, max_retries=0, http_client=http)


class _Opened:
    """The response once its headers are there; asks again, once for each, without what this server does not know."""

    def __init__(
        self, sdk: AsyncOpenAI, call: ModelCall, target: Target, reception: Reception, *, is_streamed: bool
    ) -> None:
        self._sdk, self._call, self._target, self._reception = sdk, call, target, reception
        self._is_streamed = is_streamed
        self._manager: Any = None

    async def __aenter__(self) -> httpx2.Response:
        dialect = dialect_of(self._target)
        while True:
            try:
                return await self._open(dialect)
            except openai.APIStatusError as error:
                other = learn(self._target, dialect, error.status_code, error.response.text)
                if other is None:
                    self._reception.is_rejected = True
                    raise _status_failure(error) from error
                dialect = other
            except openai.APIConnectionError as error:
                raise transport.failure_of(error.__cause__ or error, has_headers=False) from error

    async def _open(self, dialect: Dialect) -> httpx2.Response:
        body = openai_wire.body(self._call, self._target.model, dialect, is_streamed=self._is_streamed)
        headers = {} if self._target.secret else {"Authorization": openai.Omit()}
        # As extra_body the request goes out as it is: the SDK's own way walks through every message again.
        self._manager = self._sdk.chat.completions.with_streaming_response.create(
            model=self._target.model, messages=(), stream=self._is_streamed, extra_body=body, extra_headers=headers
        )
        opened = await self._manager.__aenter__()
        response: httpx2.Response = opened.http_response
        return response

    async def __aexit__(self, *exception: object) -> None:
        await self._manager.__aexit__(*exception)


def _status_failure(error: openai.APIStatusError) -> ProviderFailure:
    return ProviderFailure(
        classify(signs_of(error.body, error.status_code)),
        error.response.text,
        retry_after_s=parse_retry_after(error.response.headers, now()),
    )


async def _read(response: httpx2.Response, reception: Reception) -> AsyncGenerator[str, None]:
    if stream_reader.is_event_stream(response):
        async for document in stream_reader.documents(response, reception):
            text = openai_wire.take_chunk(document, reception)
            if text:
                yield text
        return
    text = openai_wire.take_whole(await _whole(response, reception), reception)
    if text:
        yield text


async def _whole(response: httpx2.Response, reception: Reception) -> stream_reader.JsonObject:
    """A body that is one JSON document; anything else, such as a proxy's page, is no model's answer."""
    parts: list[bytes] = []
    size = 0
    try:
        async for part in response.aiter_bytes():
            size += len(part)
            if size > MAX_ANSWER_BYTES:
                raise ProviderFailure(
                    ErrorCode.NOT_A_MODEL_ANSWER, f"The answer is larger than {MAX_ANSWER_BYTES} bytes."
                )
            parts.append(part)
    except httpx2.HTTPError as error:
        raise transport.failure_of(error, has_headers=True) from error
    text = b"".join(parts).decode("utf-8-sig", "replace")
    media = response.headers.get("content-type", "")
    if "json" not in media and not text.lstrip().startswith("{"):
        raise ProviderFailure(ErrorCode.NOT_A_MODEL_ANSWER, f"{media}\n{text}")
    return stream_reader.parse(text, reception)
