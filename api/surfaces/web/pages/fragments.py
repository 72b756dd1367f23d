"""Pages that are open already ask for fragments, and name themselves by a header."""

from typing import TYPE_CHECKING

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

if TYPE_CHECKING:
    from uuid import UUID

HEADER = "X-Fragment"


def wants_fragment(request: HttpRequest) -> bool:
    return HEADER in request.headers


def done(request: HttpRequest, session_id: "UUID", anchor: str = "end") -> HttpResponse:
    """After a change: the open page reads the log by itself; without scripts the session is shown again."""
    if wants_fragment(request):
        return HttpResponse(status=204)
    return redirect(f"/sessions/{session_id}/#{anchor}")
