"""Every request for a page or of the public API is counted before anything is done."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.http import HttpRequest, HttpResponse

from api.rooms.kernel.refusals import Refusal
from api.surfaces import problems
from api.surfaces.throttling import counters
from api.surfaces.throttling.doors import address_of
from api.surfaces.throttling.kinds import LIMITS, Kind, kind_of
from api.surfaces.web.throttled import throttled_page
from contracts.problem import ProblemCode

FREE = ("/static/", "/livez", "/readyz", "/version", "/metrics")
PUBLIC_API = "/api/"
Respond = Callable[[HttpRequest], HttpResponse]


def throttle(respond: Respond) -> Respond:
    """429 before anything is done; the page says how long to wait, the API in headers, and what is left each time."""

    def answer(request: HttpRequest) -> HttpResponse:
        if not settings.MUTIRAO_RATE_LIMITS or request.path.startswith(FREE):
            return respond(request)
        counted = _counted_as(request)
        waits = [counters.take(each.kind, each.who, each.limits) for each in counted]
        wait_s = max(waits)
        response = _too_many(request, wait_s) if wait_s else respond(request)
        if request.path.startswith(PUBLIC_API):
            exceeded = [each for each, wait in zip(counted, waits, strict=True) if wait]
            _tell(response, exceeded or [each for each in counted if each.is_told])
        return response

    return answer


@dataclass(frozen=True)
class Counted:
    """One count of a request. `policy` names it to clients; `is_told` on each answer, the others when exceeded."""

    kind: Kind
    who: str
    limits: str
    policy: str
    is_told: bool


def _counted_as(request: HttpRequest) -> list[Counted]:
    kind, address, person = kind_of(str(request.method), request.get_full_path()), address_of(request), _person(request)
    kinds = dict.fromkeys((Kind.GENERAL, kind))
    found = [
        Counted(each, f"a:{address}", LIMITS[each].address, f"{each}-address", is_told=not person) for each in kinds
    ]
    if person:
        found += [
            Counted(each, _place(each, person, request.path), LIMITS[each].user, each.value, is_told=True)
            for each in kinds
        ]
    return found


def _tell(response: HttpResponse, counted: list[Counted]) -> None:
    """The fields of the IETF's draft on rate limits (draft-ietf-httpapi-ratelimit-headers)."""
    told = [
        (each.policy, standing) for each in counted for standing in counters.standings(each.kind, each.who, each.limits)
    ]
    if told:
        response.headers["RateLimit-Policy"] = ", ".join(
            f'"{name}";q={now.quota};w={now.window_s}' for name, now in told
        )
        response.headers["RateLimit"] = ", ".join(f'"{name}";r={now.left};t={now.resets_s}' for name, now in told)


def _place(kind: Kind, person: str, path: str) -> str:
    """Messages count by session: a busy conversation takes nothing from another."""
    return f"{person}:{path}" if kind is Kind.SEND else person


def _person(request: HttpRequest) -> str:
    """A page's person, else the token that came, as its hash: whether that is good is asked later.

    The sign-in counts first: a header of one's own invention would be a new person with each request.
    """
    user_id = request.session.get(SESSION_KEY)
    if user_id:
        return f"u:{user_id}"
    header = request.headers.get("Authorization", "")
    return "t:" + hashlib.sha256(header.encode()).hexdigest()[:32] if header else ""


def _too_many(request: HttpRequest, wait_s: float) -> HttpResponse:
    seconds = str(int(wait_s))
    detail = f"Too many requests: try again in {seconds} s."
    if request.path.startswith(PUBLIC_API):
        response = problems.answer(ProblemCode.THROTTLED, detail)
    else:
        response = throttled_page(request, Refusal(ProblemCode.THROTTLED, detail, {"seconds": seconds}))
    response.headers["Retry-After"] = seconds
    return response
