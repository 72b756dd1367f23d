"""The HTTP client of one call, and what its failures mean."""

import os
import ssl
from functools import cache

import httpx2
from django.conf import settings

from api.rooms.gateway.providers.pinning import ForbiddenAddress, PinnedTransport
from api.rooms.gateway.providers.provider import ProviderFailure
from contracts.failures import ErrorCode

CONNECT_S = 10.0
SILENCE_S = 300.0
PROXIES = ("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy")
"""The longest pause between two pieces of an answer, and before the first."""


@cache
def _ssl_context() -> ssl.SSLContext:
    return httpx2.create_ssl_context()


def client(*, is_private: bool, silence_s: float = SILENCE_S) -> httpx2.AsyncClient:
    """One for each call: cancelling a shared client twice leaves streams open. Redirects are not followed.

    Where the environment names a proxy for public addresses, that proxy is the operator's wall and resolves names.
    """
    timeout = httpx2.Timeout(silence_s, connect=CONNECT_S)
    if not is_private and any(os.environ.get(name) for name in PROXIES):
        return httpx2.AsyncClient(verify=_ssl_context(), timeout=timeout, follow_redirects=False)
    transport = PinnedTransport(_ssl_context(), allow_private=settings.MUTIRAO_ALLOW_PRIVATE_BASE_URLS)
    return httpx2.AsyncClient(transport=transport, timeout=timeout, follow_redirects=False, trust_env=False)


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
