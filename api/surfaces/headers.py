"""The response headers that no library sets for us."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from api.hardening import HEADERS

Respond = Callable[[HttpRequest], HttpResponse]


def more_headers(respond: Respond) -> Respond:
    """On every page and every answer of the public API."""

    def answer(request: HttpRequest) -> HttpResponse:
        response = respond(request)
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        return response

    return answer
