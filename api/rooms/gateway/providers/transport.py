"""How a request travels, and what its failures mean."""

import os
import ssl
from functools import cache
from typing import Protocol

import httpx2
from django.conf import settings

from api.rooms.gateway.providers.pinning import ForbiddenAddress, PinnedTransport
from api.rooms.gateway.providers.provider import ProviderFailure
from contracts.failures import ErrorCode

CONNECT_S = 10.0
SILENCE_S = 300.0
"""The longest pause between two pieces of an answer, and before the first."""
PROXIES = ("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy")


class Carrier(Protocol):
    """Sends one request at a time over one connection."""

    async def send(self, request: httpx2.Request) -> httpx2.Response: ...

    async def aclose(self) -> None: ...


class _Direct:
    """The pinned transport alone: cookies, redirects and authentication are nobody's here, and each costs time."""

    def __init__(self, kept_s: float) -> None:
        self._transport = PinnedTransport(
            _ssl_context(), allow_private=settings.MUTIRAO_ALLOW_PRIVATE_BASE_URLS, kept_s=kept_s
        )

    async def send(self, request: httpx2.Request) -> httpx2.Response:
        response = await self._transport.handle_async_request(request)
        response.request = request
        return response

    async def aclose(self) -> None:
        await self._transport.aclose()


class _Proxied:
    """By the environment's proxy, which resolves names: it is the operator's wall. Redirects are not followed."""

    def __init__(self) -> None:
        self._client = httpx2.AsyncClient(verify=_ssl_context(), follow_redirects=False)

    async def send(self, request: httpx2.Request) -> httpx2.Response:
        return await self._client.send(request, stream=True)

    async def aclose(self) -> None:
        await self._client.aclose()


def carrier(*, is_private: bool, kept_s: float) -> Carrier:
    """`kept_s` is how long its connection outlives an answer."""
    if not is_private and any(os.environ.get(name) for name in PROXIES):
        return _Proxied()
    return _Direct(kept_s)


@cache
def _ssl_context() -> ssl.SSLContext:
    return httpx2.create_ssl_context()


async def read(response: httpx2.Response, max_bytes: int) -> tuple[bytes, bool]:
    """What comes, up to so many bytes, and whether that is all of it."""
    parts: list[bytes] = []
    size = 0
    async for part in response.aiter_bytes():
        parts.append(part)
        size += len(part)
        if size > max_bytes:
            return b"".join(parts)[:max_bytes], False
    return b"".join(parts), True


def _is_forbidden(error: BaseException | None) -> bool:
    while error is not None:
        if isinstance(error, ForbiddenAddress):
            return True
        error = error.__cause__ or error.__context__
    return False


def failure_of(error: BaseException, *, has_headers: bool) -> ProviderFailure:
    """From an exception of the client; its type alone decides."""
    words = f"{type(error).__name__}: {error}"
    if _is_forbidden(error):
        return ProviderFailure(ErrorCode.MODEL_NOT_ALLOWED, words, was_sent=False)
    match error:
        case httpx2.ConnectError() | httpx2.ConnectTimeout() | httpx2.PoolTimeout() | httpx2.UnsupportedProtocol():
            return ProviderFailure(ErrorCode.PROVIDER_UNREACHABLE, words, was_sent=False)
        case httpx2.TimeoutException():
            return ProviderFailure(ErrorCode.PROVIDER_TIMEOUT, words)
        case httpx2.SSEError():
            return ProviderFailure(ErrorCode.NOT_A_MODEL_ANSWER, words)
        case httpx2.NetworkError() | httpx2.RemoteProtocolError() | httpx2.DecodingError():
            code = ErrorCode.STREAM_INCOMPLETE if has_headers else ErrorCode.PROVIDER_UNREACHABLE
            return ProviderFailure(code, words)
        case _:
            return ProviderFailure(ErrorCode.UNKNOWN_FAILURE, words)
