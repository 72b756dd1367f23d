"""The engine's routes: wake, live, ready, version, metrics."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from prometheus_client import CONTENT_TYPE_LATEST
from pydantic import ValidationError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from contracts import auth, story
from contracts.agents import card_of
from contracts.limits import MAX_INTERNAL_BODY_BYTES
from contracts.operators import may_read
from contracts.problem import PROBLEM_MEDIA_TYPE, STATUS_OF, Problem, ProblemCode
from contracts.routes.engine import WAKE, Wake, WakeAnswer
from contracts.version import INTERNAL_PREFIX, WIRE_VERSION
from engine.http.measuring import NOT_QUEUED, WAKES
from engine.http.publisher import BrokerUnavailable


@dataclass(frozen=True)
class Doors:
    """What the routes need of the world: whose signatures count, where wakes go, whether the broker answers, who may
    read figures, and the figures (asked in a thread)."""

    keys: tuple[auth.SigningKey, ...]
    publish: Callable[[str, str], Awaitable[None]]
    is_ready: Callable[[], Awaitable[bool]]
    metrics_token: str
    figures: Callable[[], bytes]


def application(doors: Doors) -> Starlette:
    """The starlette app over `doors`."""

    async def wake(request: Request) -> Response:
        return await _wake(doors, request)

    async def ready(_: Request) -> Response:
        if await doors.is_ready():
            return JSONResponse({"status": "ready"})
        return refusal(ProblemCode.UNAVAILABLE, "The broker does not answer.")

    async def metrics(request: Request) -> Response:
        return await _metrics(doors, request)

    return Starlette(
        routes=[
            Route(INTERNAL_PREFIX + WAKE.path, wake, methods=[WAKE.method]),
            Route("/livez", _live),
            Route("/readyz", ready),
            Route("/version", _version),
            Route("/metrics", metrics),
        ]
    )


async def _live(_: Request) -> Response:
    return JSONResponse({"status": "live"})


async def _version(_: Request) -> Response:
    return JSONResponse({"service": "engine", "wire": WIRE_VERSION})


async def _metrics(doors: Doors, request: Request) -> Response:
    peer, said = request.client.host if request.client else "", request.headers.get("authorization", "")
    if not may_read(doors.metrics_token, said, peer, is_forwarded="x-forwarded-for" in request.headers):
        return refusal(ProblemCode.NOT_FOUND, "There is nothing here.")
    return Response(await asyncio.to_thread(doors.figures), media_type=CONTENT_TYPE_LATEST)


async def _wake(doors: Doors, request: Request) -> Response:
    """Answers when the wake is queued; a wake for an agent that the roster does not know is refused."""
    body = await _bounded_body(request)
    if body is None:
        return refusal(ProblemCode.TOO_LARGE, f"A body may have {MAX_INTERNAL_BODY_BYTES} bytes.")
    if isinstance(verdict := _verified(doors, request, body), auth.Refused):
        return refusal(ProblemCode.SIGNATURE_INVALID, verdict.reason)
    try:
        wake = Wake.model_validate_json(body)
    except ValidationError as error:
        return refusal(ProblemCode.INVALID_BODY, f"{error.error_count()} field(s) of the body are not as declared.")
    story.note(instance_id=wake.instance_id)
    card = card_of(wake.agent)
    if card is None:
        return refusal(ProblemCode.NOT_FOUND, f"There is no agent {wake.agent!r} in the roster.")
    try:
        await doors.publish(str(wake.instance_id), card.queue.value)
    except BrokerUnavailable as error:
        NOT_QUEUED.inc()
        return refusal(ProblemCode.UNAVAILABLE, str(error))
    WAKES.labels(card.queue.value).inc()
    return JSONResponse(WakeAnswer(queued=True).model_dump(mode="json"))


async def _bounded_body(request: Request) -> bytes | None:
    """The body, null when it is too large; it is read no further then."""
    parts, total = list[bytes](), 0
    async for part in request.stream():
        total += len(part)
        if total > MAX_INTERNAL_BODY_BYTES:
            return None
        parts.append(part)
    return b"".join(parts)


def _verified(doors: Doors, request: Request, body: bytes) -> auth.Verified | auth.Refused:
    raw, query = request.scope.get("raw_path") or request.url.path.encode(), request.scope["query_string"]
    target = raw.partition(b"?")[0].decode("latin-1") + (f"?{query.decode('latin-1')}" if query else "")
    names = (
        auth.KEY_HEADER,
        auth.TIME_HEADER,
        auth.AUDIENCE_HEADER,
        auth.USER_HEADER,
        auth.IDEMPOTENCY_HEADER,
        auth.SIGNATURE_HEADER,
    )
    headers = {name: request.headers[name] for name in names if name in request.headers}
    return auth.verify(doors.keys, auth.ENGINE, int(time.time()), request.method, target, body, headers)


def refusal(code: ProblemCode, detail: str) -> Response:
    """A problem as the one error body."""
    problem = Problem(
        title=code.value.replace("_", " ").capitalize(),
        status=STATUS_OF[code],
        code=code,
        detail=detail,
        request_id=story.current_request(),
    )
    return Response(problem.model_dump_json(), problem.status, media_type=PROBLEM_MEDIA_TYPE)
