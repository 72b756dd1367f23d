"""Django's ASGI handler that says which route a request took and whose it was, for the line at its end."""

from typing import Any

from django.core.handlers.asgi import ASGIHandler, ASGIRequest
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from contracts import story
from contracts.edge import ROUTE


class TellingHandler(ASGIHandler):
    """Where both kinds of routes pass; no middleware, since internal routes have none."""

    def resolve_request(self, request: HttpRequest) -> Any:
        match = super().resolve_request(request)
        if isinstance(request, ASGIRequest):
            scope: Any = request.scope
            scope[ROUTE] = _name(match)
        story.note(**match.kwargs)
        return match

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        response: HttpResponseBase = await super().get_response_async(request)
        if user_id := _known_user(request):
            story.note(user_id=user_id)
        return response


def _name(match: Any) -> str:
    """The internal routes by their names, which the contracts give; all others by their patterns."""
    name: str = match.url_name or ""
    return name if name.startswith("internal-") else match.route or "/"


def _known_user(request: HttpRequest) -> str:
    """Only who was looked up already: a line of a log is worth no query."""
    known = request.__dict__
    for user in (known.get("_cached_user"), known.get("_acached_user")):
        if user is not None and user.pk:
            return str(user.pk)
    user = known.get("user")
    is_asked_already = user is not None and "_wrapped" not in user.__dict__
    return str(user.pk or "") if user is not None and is_asked_already else ""
