"""The timeline's fragments: what came after a seq, or the page before one."""

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from api.rooms.kernel.refusals import Refusal
from api.surfaces import access
from api.surfaces.web.pages.people import PersonRequest, for_people
from api.surfaces.web.pages.session import context_of, reader_of
from api.surfaces.web.timeline import reading
from contracts.problem import ProblemCode
from contracts.vocabulary import Role

MAX_SEQ = 2**31 - 1


@for_people
@require_GET
def show(request: PersonRequest, session_id: UUID) -> HttpResponse:
    found = access.session(request.user.id, session_id, Role.VIEWER)
    reader = reader_of(request, found)
    if "before" in request.GET:
        shown = reading.before(session_id, _seq(request, "before"), reader)
        return render(request, "parts/earlier.html", context_of(found, reader, shown))
    shown = reading.after(session_id, _seq(request, "after"), reader)
    return render(request, "parts/news.html", context_of(found, reader, shown))


def _seq(request: PersonRequest, name: str) -> int:
    text = request.GET.get(name, "0")
    if not (text.isascii() and text.isdigit()) or int(text[:12]) > MAX_SEQ:
        raise Refusal(ProblemCode.INVALID_PARAMETER, f"`{name}` is a whole number from 0.")
    return int(text)
