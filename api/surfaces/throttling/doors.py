"""Where it is asked: every request for a page or of the public API, and every websocket."""

import hashlib
from collections.abc import Callable
from typing import Any

from channels.db import database_sync_to_async
from django.conf import settings
from django.http import HttpRequest, HttpResponse

from api.rooms.kernel.refusals import Refusal
from api.surfaces import problems
from api.surfaces.throttling import counters
from api.surfaces.throttling.kinds import LIMITS, Kind, client_address, kind_of
from api.surfaces.web.refusals import answer_refusal
from contracts.problem import ProblemCode

CLOSE_THROTTLED = 4429
FREE = ("/static/", "/livez", "/readyz", "/version")
PUBLIC_API = "/api/"
MESSAGES = Kind.SEND
Respond = Callable[[HttpRequest], HttpResponse]


def address_of(request: HttpRequest) -> str:
    """The address that asks, whatever it claims to be."""
    forwarded = request.headers.get("X-Forwarded-For", "")
    return client_address(request.META.get("REMOTE_ADDR", ""), forwarded, settings.ENVIRONMENT.mutirao_trusted_proxies)


def throttle(respond: Respond) -> Respond:
    """429 before anything is done; the page says how long to wait, the API in `Retry-After`."""

    def answer(request: HttpRequest) -> HttpResponse:
        wait_s = _wait(request) if settings.MUTIRAO_RATE_LIMITS else 0.0
        return _too_many(request, wait_s) if wait_s else respond(request)

    return answer


def _wait(request: HttpRequest) -> float:
    if request.path.startswith(FREE):
        return 0.0
    kind, address, person = kind_of(str(request.method), request.path), address_of(request), _person(request)
    kinds = dict.fromkeys((Kind.GENERAL, kind))
    waits = [counters.take(each, f"a:{address}", LIMITS[each].address) for each in kinds]
    if person:
        waits += [counters.take(each, _place(each, person, request.path), LIMITS[each].user) for each in kinds]
    return max(waits)


def _place(kind: Kind, person: str, path: str) -> str:
    """Messages count by session: a busy conversation takes nothing from another."""
    return f"{person}:{path}" if kind is MESSAGES else person


def _person(request: HttpRequest) -> str:
    """A page's person, or the token that came, as its hash: whether it is good is asked later."""
    header = request.headers.get("Authorization", "")
    if header:
        return "t:" + hashlib.sha256(header.encode()).hexdigest()[:32]
    user_id = request.session.get("_auth_user_id") if hasattr(request, "session") else None
    return f"u:{user_id}" if user_id else ""


def _too_many(request: HttpRequest, wait_s: float) -> HttpResponse:
    seconds = str(int(wait_s))
    detail = f"Too many requests: try again in {seconds} s."
    if request.path.startswith(PUBLIC_API):
        response = problems.answer(ProblemCode.THROTTLED, detail)
    else:
        response = answer_refusal(request, Refusal(ProblemCode.THROTTLED, detail, {"seconds": seconds}))
    response.headers["Retry-After"] = seconds
    return response


class ThrottledSockets:
    """In front of the sockets' addresses: opened and closed at once by 4429, since a browser reads no status there."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        if settings.MUTIRAO_RATE_LIMITS and await database_sync_to_async(_socket_wait, thread_sensitive=False)(scope):
            await send({"type": "websocket.accept"})
            await send({"type": "websocket.close", "code": CLOSE_THROTTLED, "reason": "too many sockets"})
            return
        await self._inner(scope, receive, send)


def _socket_wait(scope: dict[str, Any]) -> float:
    headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
    peer = (scope.get("client") or [""])[0]
    proxies = settings.ENVIRONMENT.mutirao_trusted_proxies
    address = client_address(peer, headers.get(b"x-forwarded-for", ""), proxies)
    known = headers.get(b"authorization") or headers.get(b"cookie") or ""
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
