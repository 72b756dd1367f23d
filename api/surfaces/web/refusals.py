"""A refusal of a room becomes a page, or a fragment for a page that is already open."""

from collections.abc import Callable

from django.conf import settings
from django.db import DataError
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.decorators import sync_and_async_middleware
from django.utils.deprecation import MiddlewareMixin
from pydantic import ValidationError

from api.rooms.kernel.refusals import Refusal
from api.surfaces.web.pages.fragments import wants_fragment
from api.surfaces.web.sentences import PROBLEMS
from contracts.problem import ProblemCode

UNFIT = (ValidationError, DataError)
"""What was typed does not fit the contract or its column; the public API answers the same with 400."""
INVALID = Refusal(ProblemCode.INVALID_BODY, "A field of the form holds what it may not hold.")


def answer_refusal(request: HttpRequest, refusal: Refusal) -> HttpResponse:
    """The sentence for the person, with the refusal's status; nothing of the English detail is lost."""
    if refusal.code is ProblemCode.UNAUTHENTICATED and not wants_fragment(request):
        return redirect(f"{settings.LOGIN_URL}?next={request.path}")
    template = "parts/refusal.html" if wants_fragment(request) else "pages/refusal.html"
    context = {"refusal": refusal, "sentence": PROBLEMS[refusal.code], "came_from": request.headers.get("Referer", "")}
    return render(request, template, context, status=refusal.status)


class _Refusals(MiddlewareMixin):
    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if isinstance(exception, Refusal):
            return answer_refusal(request, exception)
        return answer_refusal(request, INVALID) if isinstance(exception, UNFIT) else None


@sync_and_async_middleware
def show_refusals(get_response: Callable[[HttpRequest], HttpResponseBase]) -> MiddlewareMixin:
    return _Refusals(get_response)
