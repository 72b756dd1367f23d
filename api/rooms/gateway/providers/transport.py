"""The HTTP client of one call, and what its failures mean."""

import ssl
from functools import cache

import httpx2

from api.rooms.gateway.providers.provider import ProviderFailure
from contracts.failures import ErrorCode

CONNECT_S = 10.0
SILENCE_S = 300.0
"""The longest pause between two pieces of an answer, and before the first."""


@cache
def _ssl_context() -> ssl.SSLContext:
    return httpx2.create_ssl_context()


def client(*, is_private: bool, silence_s: float = SILENCE_S) -> httpx2.AsyncClient:
    """One for each call: cancelling a shared client twice leaves streams open. Redirects are not followed.

    A private address is never reached through the environment's proxy.
    """
    return httpx2.AsyncClient(
        verify=_ssl_context(),
        timeout=httpx2.Timeout(silence_s, connect=CONNECT_S),
        limits=httpx2.Limits(max_connections=1, max_keepalive_connections=0),
        follow_redirects=False,
        trust_env=not is_private,
    )


def failure_of(error: BaseException, *, has_headers: bool) -> ProviderFailure:
    """From an exception of the client; its type alone decides."""
    words = f"{type(error).__name__}: {error}"
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
