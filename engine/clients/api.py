"""The api as the engine calls it: routes of the contract in, messages of the contract out."""

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Self, TypeVar
from urllib.parse import urlencode, urlsplit
from uuid import uuid4

import httpx2

from contracts import auth, story
from contracts.base import Message
from contracts.limits import MAX_PROVIDER_EVENT_BYTES
from contracts.routes.route import Route
from engine.clients.transport import FRAME_SECONDS, attempts, next_data, raise_for, ssl_context, words
from engine.domain.failures import ServiceUnreachable, StreamIncomplete

CONNECT_SECONDS = 2.0
ANSWER_SECONDS = 10.0
RETRY_SECONDS = 20.0
"""Longer than a lease: whoever may no longer act is cancelled from outside, everybody else keeps trying this long."""

Asked = TypeVar("Asked", bound=Message)
Answered = TypeVar("Answered", bound=Message)


@dataclass(frozen=True)
class Patience:
    """How long one call may take, and how long it is repeated; `retry_seconds` 0 tries once."""

    answer_seconds: float = ANSWER_SECONDS
    retry_seconds: float = RETRY_SECONDS


PATIENT = Patience()


def _seconds() -> int:
    return int(time.time())


@dataclass
class ApiClient:
    """One connection pool. A second cancel on a shared one leaves streams open, so each activation has its own."""

    base_url: str
    keys: tuple[auth.SigningKey, ...]
    now: Callable[[], int] = _seconds
    http: httpx2.AsyncClient = field(init=False)

    def __post_init__(self) -> None:
        """The TLS context is shared: making one takes longer than a call."""
        timeout = httpx2.Timeout(ANSWER_SECONDS, connect=CONNECT_SECONDS)
        self.http = httpx2.AsyncClient(verify=ssl_context(), timeout=timeout, trust_env=False)

    async def __aenter__(self) -> Self:
        """Nothing is opened before the first call."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close every connection."""
        await self.http.aclose()

    async def call(
        self,
        route: Route[Asked, Answered],
        body: Asked,
        *,
        key: str | None = None,
        patience: Patience = PATIENT,
        **slots: object,
    ) -> Answered:
        """The route's answer. A refusal is an `ApiProblem`; transport errors and 5xx are tried again with one key."""
        key = key or f"{route.name}:{uuid4()}"
        async for attempt in attempts(patience.retry_seconds):
            with attempt:
                return await self._once(route, body, key, patience, slots)
        raise AssertionError("unreachable")

    async def _once(
        self, route: Route[Asked, Answered], body: Asked, key: str, patience: Patience, slots: dict[str, object]
    ) -> Answered:
        request = self._request(route, body, key, slots)
        try:
            async with asyncio.timeout(patience.answer_seconds):
                response = await self.http.send(request)
        except (httpx2.TransportError, TimeoutError) as error:
            raise ServiceUnreachable(words(error)) from error
        raise_for(response)
        return route.response.model_validate_json(response.content)

    async def stream(
        self, route: Route[Asked, Answered], body: Asked, *, key: str, **slots: object
    ) -> AsyncGenerator[Answered, None]:
        """The frames of one attempt; it is never retried here, since only the caller knows what it may buy again."""
        request = self._request(route, body, key, slots)
        request.headers["Accept"] = "text/event-stream"
        async with self._opened(request) as response:
            frames = aiter(httpx2.EventSource(response, MAX_PROVIDER_EVENT_BYTES))
            while (data := await next_data(frames)) is not None:
                yield route.response.model_validate_json(data)

    @asynccontextmanager
    async def _opened(self, request: httpx2.Request) -> AsyncIterator[httpx2.Response]:
        request.extensions["timeout"] = httpx2.Timeout(FRAME_SECONDS, connect=CONNECT_SECONDS).as_dict()
        try:
            response = await self.http.send(request, stream=True)
        except httpx2.TransportError as error:
            raise ServiceUnreachable(words(error)) from error
        try:
            if response.is_error:
                await response.aread()
                raise_for(response)
            yield response
        except httpx2.TransportError as error:
            raise StreamIncomplete(words(error)) from error
        finally:
            await response.aclose()

    def _request(
        self, route: Route[Asked, Answered], body: Asked, key: str, slots: dict[str, object]
    ) -> httpx2.Request:
        target = urlsplit(self.base_url).path + route.target(**{name: str(value) for name, value in slots.items()})
        is_get = route.method == "GET"
        content = b"" if is_get else body.model_dump_json().encode()
        if is_get:
            target += f"?{urlencode(body.model_dump(mode='json', exclude_none=True))}"
        signed = auth.Request(
            route.method, target, content, self.now(), auth.API, idempotency_key="" if is_get else key
        )
        headers = {**auth.sign(self.keys[0], signed), story.REQUEST_HEADER: story.request_id(story.current_request())}
        if not is_get:
            headers["Content-Type"] = "application/json"
        parts = urlsplit(self.base_url)
        return self.http.build_request(
            route.method, f"{parts.scheme}://{parts.netloc}{target}", content=content or None, headers=headers
        )
