"""Every request for a page or of the public API is counted before anything is done."""

import hashlib
from collections.abc import Callable

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
    """429 before anything is done; the page says how long to wait, the API in `Retry-After`."""

    def answer(request: HttpRequest) -> HttpResponse:
        wait_s = _wait(request) if settings.MUTIRAO_RATE_LIMITS else 0.0
        return _too_many(request, wait_s) if wait_s else respond(request)

    return answer


def _wait(request: HttpRequest) -> float:
    if request.path.startswith(FREE):
        return 0.0
    kind, address, person = kind_of(str(request.method), request.get_full_path()), address_of(request), _person(request)
    kinds = dict.fromkeys((Kind.GENERAL, kind))
    waits = [counters.take(each, f"a:{address}", LIMITS[each].address) for each in kinds]
    if person:
        waits += [counters.take(each, _place(each, person, request.path), LIMITS[each].user) for each in kinds]
    return max(waits)


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
