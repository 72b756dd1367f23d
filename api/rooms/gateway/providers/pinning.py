"""Connections go to the very address that was checked: a name is resolved once, and never again (threat 12)."""

import asyncio
import socket
import ssl
from collections.abc import Iterable
from typing import Any

import httpcore2
import httpx2

from api.rooms.gateway.domain import addresses

SocketOptions = Iterable[tuple[int, int, int] | tuple[int, int, bytes | bytearray] | tuple[int, int, None, int]]


class ForbiddenAddress(httpcore2.ConnectError):
    """What the name stands for may not be called."""


class _CheckedBackend(httpcore2.AnyIOBackend):
    """Resolve, check, connect by number; the name stays in TLS and in the Host header."""

    def __init__(self, *, allow_private: bool) -> None:
        self._allow_private = allow_private

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - the library's own signature
        local_address: str | None = None,
        socket_options: SocketOptions | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        failure: httpcore2.ConnectError | httpcore2.ConnectTimeout | None = None
        for number in await self._checked(host, port, timeout):
            try:
                return await super().connect_tcp(number, port, timeout, local_address, socket_options)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                failure = error
        raise failure or httpcore2.ConnectError(f"{host} has no address")

    async def _checked(self, host: str, port: int, seconds: float | None) -> list[str]:
        """All addresses of the name; one that is forbidden forbids them all."""
        try:
            async with asyncio.timeout(seconds):
                found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except TimeoutError:
            raise httpcore2.ConnectTimeout(f"{host} was not resolved in time") from None
        except OSError as error:
            raise httpcore2.ConnectError(f"{host}: {error}") from error
        numbers = list(dict.fromkeys(str(address[0]) for *_, address in found))
        forbidden = [each for each in numbers if not addresses.may_connect(each, allow_private=self._allow_private)]
        if forbidden:
            raise ForbiddenAddress(f"{host} is {forbidden[0]}, and that address may not be called")
        return numbers


class _OneConnection:
    """In a pool's place: requests come one after the other, and what a pool does to share costs more than sending."""

    def __init__(self, context: ssl.SSLContext, backend: _CheckedBackend, kept_s: float) -> None:
        self._context, self._backend, self._kept_s = context, backend, kept_s
        self._held: httpcore2.AsyncHTTPConnection | None = None

    async def handle_async_request(self, request: httpcore2.Request) -> httpcore2.Response:
        held = self._held
        if held is None or not self._is_good(held, request.url.origin):
            await self.aclose()
            held = self._held = httpcore2.AsyncHTTPConnection(
                request.url.origin,
                ssl_context=self._context,
                keepalive_expiry=self._kept_s,
                network_backend=self._backend,
            )
        return await held.handle_async_request(request)

    @staticmethod
    def _is_good(held: httpcore2.AsyncHTTPConnection, origin: httpcore2.Origin) -> bool:
        return held.can_handle_request(origin) and not held.is_closed() and not held.has_expired()

    async def aclose(self) -> None:
        held, self._held = self._held, None
        if held is not None:
            await held.aclose()


class PinnedTransport(httpx2.AsyncHTTPTransport):
    """HTTP/1.1 over one checked connection; no proxy of the environment is asked.

    It is kept for `kept_s` after an answer that was read whole.
    """

    def __init__(self, context: ssl.SSLContext, *, allow_private: bool, kept_s: float) -> None:
        # The base class builds a pool that cannot be given a backend; everything else of it is used as it is.
        backend = _CheckedBackend(allow_private=allow_private)
        self._pool: Any = _OneConnection(context, backend, kept_s)
