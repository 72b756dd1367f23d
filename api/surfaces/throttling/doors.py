"""Where sockets and sign-ins are counted, and who asks, by address."""

import hashlib
from http.cookies import SimpleCookie
from typing import Any

from channels.db import database_sync_to_async
from django.conf import settings
from django.http import HttpRequest

from api.surfaces.throttling import counters
from api.surfaces.throttling.kinds import LIMITS, Kind, client_address

CLOSE_THROTTLED = 4429


def address_of(request: HttpRequest) -> str:
    """The address that asks, whatever it claims to be."""
    forwarded = request.headers.get("X-Forwarded-For", "")
    return client_address(request.META.get("REMOTE_ADDR", ""), forwarded, settings.ENVIRONMENT.mutirao_trusted_proxies)


class ThrottledSockets:
    """In front of the sockets' addresses: opened and closed at once by 4429, since a browser reads no status there.

    The reason is `retry-after=` and the seconds to wait.
    """

    def __init__(self, inner: Any) -> None:
        self.inner = inner

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        wait_s = 0.0
        if settings.MUTIRAO_RATE_LIMITS:
            wait_s = await database_sync_to_async(_socket_wait, thread_sensitive=False)(scope)
        if wait_s:
            await send({"type": "websocket.accept"})
            await send({"type": "websocket.close", "code": CLOSE_THROTTLED, "reason": f"retry-after={wait_s:.0f}"})
            return
        await self.inner(scope, receive, send)


def _socket_wait(scope: dict[str, Any]) -> float:
    headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
    peer = (scope.get("client") or [""])[0]
    proxies = settings.ENVIRONMENT.mutirao_trusted_proxies
    address = client_address(peer, headers.get(b"x-forwarded-for", ""), proxies)
    cookie = SimpleCookie(headers.get(b"cookie", "")).get(settings.SESSION_COOKIE_NAME)
    known = cookie.value if cookie else headers.get(b"authorization", "")
    who = hashlib.sha256(known.encode()).hexdigest()[:32]
    limits = LIMITS[Kind.SOCKET]
    waits = [counters.take(Kind.SOCKET, f"a:{address}", limits.address)]
    return max([*waits, counters.take(Kind.SOCKET, f"s:{who}", limits.user)] if known else waits)


def sign_in_wait(request: HttpRequest, email: str) -> float:
    """Seconds until this e-mail address may be tried again from here; only failures count."""
    if not settings.MUTIRAO_RATE_LIMITS:
        return 0.0
    address, limits = address_of(request), LIMITS[Kind.SIGN_IN]
    by_both = counters.look(Kind.SIGN_IN, f"{email}:{address}", limits.user)
    return max(by_both, counters.look(Kind.SIGN_IN, f"a:{address}", limits.address))


def sign_in_failed(request: HttpRequest, email: str) -> None:
    """The more often, the longer the next wait."""
    if settings.MUTIRAO_RATE_LIMITS:
        address, limits = address_of(request), LIMITS[Kind.SIGN_IN]
        counters.take(Kind.SIGN_IN, f"{email}:{address}", limits.user)
        counters.take(Kind.SIGN_IN, f"a:{address}", limits.address)
