"""The api as the engine calls it: routes of the contract in, messages of the contract out."""

import asyncio
import ssl
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import Self, TypeVar
from urllib.parse import urlencode, urlsplit
from uuid import uuid4

import httpx2
import stamina
from pydantic import ValidationError

from contracts import auth
from contracts.base import Message
from contracts.limits import MAX_PROVIDER_EVENT_BYTES
from contracts.problem import PROBLEM_MEDIA_TYPE, Problem
from contracts.routes.route import Route
from engine.domain.failures import (
    ApiProblem,
    ServiceFailed,
    ServiceUnreachable,
    StreamIncomplete,
    StreamSilent,
)

FRAME_SECONDS = 300.0
CONNECT_SECONDS = 2.0
ANSWER_SECONDS = 10.0
RETRY_SECONDS = 20.0
"""Longer than a lease: whoever may no longer act is cancelled from outside, everybody else keeps trying this long."""
RETRIED = frozenset({429, 500, 502, 503, 504})

Asked = TypeVar("Asked", bound=Message)
Answered = TypeVar("Answered", bound=Message)


@dataclass(frozen=True)
class Patience:
    """How long one call may take, and how long it is repeated; `retry_seconds` 0 tries once."""

    answer_seconds: float = ANSWER_SECONDS
    retry_seconds: float = RETRY_SECONDS


PATIENT = Patience()


@cache
def _ssl_context() -> ssl.SSLContext:
    return ssl.create_default_context()


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
        self.http = httpx2.AsyncClient(verify=_ssl_context(), timeout=timeout, trust_env=False)

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
        async for attempt in _attempts(patience.retry_seconds):
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
            raise ServiceUnreachable(_words(error)) from error
        _raise_for(response)
        return route.response.model_validate_json(response.content)

    async def stream(
        self, route: Route[Asked, Answered], body: Asked, *, key: str, **slots: object
    ) -> AsyncGenerator[Answered, None]:
        """The frames of one attempt; it is never retried here, since only the caller knows what it may buy again."""
        request = self._request(route, body, key, slots)
        request.headers["Accept"] = "text/event-stream"
        async with self._opened(request) as response:
            frames = aiter(httpx2.EventSource(response, MAX_PROVIDER_EVENT_BYTES))
            while (data := await _next(frames)) is not None:
                yield route.response.model_validate_json(data)

    @asynccontextmanager
    async def _opened(self, request: httpx2.Request) -> AsyncIterator[httpx2.Response]:
        request.extensions["timeout"] = httpx2.Timeout(FRAME_SECONDS, connect=CONNECT_SECONDS).as_dict()
        try:
            response = await self.http.send(request, stream=True)
        except httpx2.TransportError as error:
            raise ServiceUnreachable(_words(error)) from error
        try:
            if response.is_error:
                await response.aread()
                _raise_for(response)
            yield response
        except httpx2.TransportError as error:
            raise StreamIncomplete(_words(error)) from error
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
        headers = auth.sign(self.keys[0], signed)
        if not is_get:
            headers["Content-Type"] = "application/json"
        parts = urlsplit(self.base_url)
        return self.http.build_request(
            route.method, f"{parts.scheme}://{parts.netloc}{target}", content=content or None, headers=headers
        )


def _attempts(seconds: float) -> AsyncIterator[stamina.Attempt]:
    once = seconds <= 0
    return aiter(
        stamina.retry_context(
            on=is_transient,
            attempts=1 if once else None,
            timeout=None if once else seconds,
            wait_initial=0.05,
            wait_max=1.0,
            wait_jitter=0.1,
        )
    )


def is_transient(error: Exception) -> bool:
    """Whether the same call may go better in a moment."""
    if isinstance(error, ApiProblem):
        return error.problem.status in RETRIED
    return isinstance(error, ServiceUnreachable) or (isinstance(error, ServiceFailed) and error.status in RETRIED)


async def _next(frames: AsyncIterator[httpx2.ServerSentEvent]) -> str | None:
    """The next frame's data, null at the end of the stream."""
    try:
        async with asyncio.timeout(FRAME_SECONDS):
            return (await anext(frames)).data
    except StopAsyncIteration:
        return None
    except (TimeoutError, httpx2.ReadTimeout) as error:
        raise StreamSilent(f"no frame within {FRAME_SECONDS:.0f} s") from error


def _raise_for(response: httpx2.Response) -> None:
    if response.is_success:
        return
    kind = response.headers.get("content-type", "").partition(";")[0].strip()
    if kind == PROBLEM_MEDIA_TYPE:
        try:
            raise ApiProblem(Problem.model_validate_json(response.content))
        except ValidationError:
            pass  # a problem of a newer wire: its status still says what to do
    raise ServiceFailed(response.status_code, response.text[:2_000])


def _words(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
