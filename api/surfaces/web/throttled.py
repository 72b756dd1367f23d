"""A page that was asked for too often: how long to wait; a form's fields are kept and can be sent again from there."""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import CsrfViewMiddleware
from django.shortcuts import render
from django.views.decorators.cache import never_cache

from api.rooms.kernel.refusals import Refusal
from api.surfaces.web.pages.fragments import wants_fragment
from api.surfaces.web.refusals import answer_refusal

TOKEN = "csrfmiddlewaretoken"  # noqa: S105 - the name of a field
SECRET_WORDS = ("password", "secret")


@dataclass(frozen=True)
class Field:
    """One value that was typed or chosen; a secret has none here, since it is never part of an answer."""

    name: str
    value: str
    is_secret: bool


@never_cache
def throttled_page(request: HttpRequest, refusal: Refusal) -> HttpResponse:
    """With what was typed, when it came from a form of ours; 429."""
    if wants_fragment(request) or request.method != "POST" or not _is_ours(request):
        return answer_refusal(request, refusal)
    context = {
        "seconds": refusal.facts["seconds"],
        "action": request.get_full_path(),
        "fields": fields_of(request),
        "refusal": refusal,
    }
    return render(request, "pages/throttled.html", context, status=refusal.status)


def fields_of(request: HttpRequest) -> tuple[Field, ...]:
    """In their order, each of a name that came several times."""
    return tuple(
        Field(name, "" if is_secret(name) else value, is_secret(name))
        for name, values in request.POST.lists()
        for value in map(str, values)
        if name != TOKEN
    )


def is_secret(name: str) -> bool:
    return any(word in name for word in SECRET_WORDS)


def _is_ours(request: HttpRequest) -> bool:
    """Asked here because limits come first: another site's form would get a button that sends it with our token."""
    guard = CsrfViewMiddleware(lambda _: HttpResponse())
    guard.process_request(request)
    return guard.process_view(request, lambda _: HttpResponse(), (), {}) is None
