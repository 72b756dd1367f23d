"""Route + handler → URL: signature, body and problems are handled here, once for all internal routes."""

import logging
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import DataError, InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path
from django.views.decorators.csrf import csrf_exempt
from psycopg_pool import PoolTimeout
from pydantic import ValidationError

from api.rooms.kernel.db import in_thread
from api.rooms.kernel.refusals import Refusal
from api.surfaces import problems
from contracts import auth
from contracts.base import Message
from contracts.limits import MAX_INTERNAL_BODY_BYTES
from contracts.problem import ProblemCode
from contracts.routes import AnyRoute
from contracts.version import INTERNAL_PREFIX

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Call:
    """What a handler gets: path slots, the parsed body, and the hash that its key is bound to.

    The hash leaves the epoch out: a worker that takes over repeats the same effect under a newer one.
    """

    slots: dict[str, UUID]
    body: Any
    body_hash: str


Handler = Callable[[Call], Message]
StreamHandler = Callable[[Call], Awaitable[AsyncIterator[Message]]]
View = Callable[..., Coroutine[Any, Any, HttpResponseBase]]


def _headers(request: HttpRequest) -> dict[str, str]:
    names = (
        auth.KEY_HEADER,
        auth.TIME_HEADER,
        auth.AUDIENCE_HEADER,
        auth.USER_HEADER,
        auth.IDEMPOTENCY_HEADER,
        auth.SIGNATURE_HEADER,
    )
    return {name: request.headers[name] for name in names if name in request.headers}


def _target(request: HttpRequest) -> str:
    """Path and query as they were sent: what was signed."""
    scope = getattr(request, "scope", {})
    raw: bytes | None = scope.get("raw_path")
    if raw is None:
        return request.get_full_path()
    query: bytes = scope.get("query_string", b"")
    return (raw.split(b"?")[0] + (b"?" + query if query else b"")).decode("ascii", "replace")


def _refusal_of_signature(request: HttpRequest, body: bytes) -> HttpResponse | None:
    verified = auth.verify(
        settings.ENGINE_TO_API_KEYS,
        auth.API,
        int(time.time()),
        request.method or "",
        _target(request),
        body,
        _headers(request),
    )
    if isinstance(verified, auth.Refused):
        log.warning("internal call refused on %s: %s", request.path, verified.reason)
        return problems.answer(ProblemCode.SIGNATURE_INVALID, f"The call is not proven: {verified.reason}.")
    return None


def _parse(route: AnyRoute, request: HttpRequest, body: bytes) -> Message:
    if route.method == "GET":
        parsed: Message = route.request.model_validate(request.GET.dict(), strict=False)
    else:
        parsed = route.request.model_validate_json(body)
    return parsed


def _refusal_at_the_door(route: AnyRoute, request: HttpRequest, body: bytes) -> HttpResponse | None:
    """Method, size and signature, before the body is read as anything."""
    if request.method != route.method:
        return problems.answer(ProblemCode.METHOD_NOT_ALLOWED, f"Use {route.method} here.")
    if len(body) > MAX_INTERNAL_BODY_BYTES:
        return problems.answer(ProblemCode.TOO_LARGE, f"A body has at most {MAX_INTERNAL_BODY_BYTES} bytes.")
    return _refusal_of_signature(request, body)


def _problem_of(route: AnyRoute, error: Exception) -> HttpResponse:
    """Every refusal becomes a problem, never a 500; what is no refusal is a fault of ours and surfaces."""
    if isinstance(error, Refusal):
        return problems.of_refusal(error)
    if isinstance(error, ValidationError):
        return problems.of_validation(error)
    if isinstance(error, DataError):
        return problems.answer(ProblemCode.INVALID_BODY, "A number in the body does not fit its column.")
    log.warning("%s: the database is away: %s", route.name, error)
    return problems.answer(ProblemCode.UNAVAILABLE, "The database does not answer: try again.")


REFUSALS = (Refusal, ValidationError, DataError, OperationalError, InterfaceError, PoolTimeout)


def _guarded(route: AnyRoute, perform: Callable[[Call], Awaitable[HttpResponseBase]]) -> View:
    async def view(request: HttpRequest, **slots: UUID) -> HttpResponseBase:
        # Counted, not believed: a body sent in chunks has no Content-Length.
        body = request.read(MAX_INTERNAL_BODY_BYTES + 1)
        refused = _refusal_at_the_door(route, request, body)
        if refused is not None:
            return refused
        try:
            parsed = _parse(route, request, body)
            meaning = parsed.model_dump_json(exclude={"epoch"}).encode()
            return await perform(Call(slots, parsed, auth.body_hash(meaning)))
        except REFUSALS as error:
            return _problem_of(route, error)

    return csrf_exempt(view)


def _pattern(route: AnyRoute) -> str:
    return (INTERNAL_PREFIX + re.sub(r"{(\w+)}", r"<uuid:\1>", route.path)).lstrip("/")


def bind(route: AnyRoute, handler: Handler) -> URLPattern:
    """`handler` runs in a database thread and returns the route's response."""

    async def perform(call: Call) -> HttpResponseBase:
        answered = await in_thread(handler)(call)
        return HttpResponse(answered.model_dump_json(), content_type="application/json")

    return path(_pattern(route), _guarded(route, perform), name=f"internal-{route.name}")


def bind_async(route: AnyRoute, handler: Callable[[Call], Awaitable[Message]]) -> URLPattern:
    """`handler` awaits by itself: a model call that is answered as one result."""

    async def perform(call: Call) -> HttpResponseBase:
        answered = await handler(call)
        return HttpResponse(answered.model_dump_json(), content_type="application/json")

    return path(_pattern(route), _guarded(route, perform), name=f"internal-{route.name}")


def bind_stream(route: AnyRoute, handler: StreamHandler) -> URLPattern:
    """`handler` answers the first frame before any header is sent, so that a refusal still has its status."""

    async def perform(call: Call) -> HttpResponseBase:
        frames = await handler(call)
        response = StreamingHttpResponse(_as_events(frames), content_type="text/event-stream")
        response["Cache-Control"] = "no-store"
        return response

    return path(_pattern(route), _guarded(route, perform), name=f"internal-{route.name}")


def answer_unknown_address(request: HttpRequest) -> HttpResponse:
    """Between services even a wrong address is a problem, never a page."""
    return problems.answer(ProblemCode.NOT_FOUND, "No such internal route: see `contracts.routes`.")


async def _as_events(frames: AsyncIterator[Message]) -> AsyncIterator[bytes]:
    """A stream that fails ends without its final frame. Raised on, daphne would leave its socket open for ever:
    the headers are out, and it can only answer an exception with headers."""
    try:
        async for frame in frames:
            yield b"data: " + frame.model_dump_json().encode() + b"\n\n"
    except Exception:
        log.exception("a stream broke off")
