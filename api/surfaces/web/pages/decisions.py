"""What only a person decides: that the idea is ready, and whether work passes on."""

from uuid import UUID

from django.http import HttpResponse
from django.views.decorators.http import require_POST

from api.rooms.handoffs import selectors
from api.rooms.handoffs import services as handoffs
from api.rooms.kernel.refusals import not_found
from api.surfaces import access
from api.surfaces.web.pages.fragments import done
from api.surfaces.web.pages.people import PersonRequest, for_people
from contracts.vocabulary import Role


@for_people
@require_POST
def ready(request: PersonRequest, session_id: UUID) -> HttpResponse:
    access.session(request.user.id, session_id, Role.DEVELOPER)
    handoffs.confirm_readiness(session_id, request.user.id)
    return done(request, session_id)


@for_people
@require_POST
def hand_to(request: PersonRequest, session_id: UUID) -> HttpResponse:
    """The choice may carry the epic that the conversation is about: `story_editor:E1`."""
    access.session(request.user.id, session_id, Role.DEVELOPER)
    agent, _, epic = request.POST.get("to_agent", "").partition(":")
    handoffs.hand_to(session_id, request.user.id, agent, epic)
    return done(request, session_id)


@for_people
@require_POST
def accept(request: PersonRequest, session_id: UUID, handoff_id: UUID) -> HttpResponse:
    _check(request, session_id, handoff_id)
    handoffs.accept(handoff_id, request.user.id)
    return done(request, session_id)


@for_people
@require_POST
def reject(request: PersonRequest, session_id: UUID, handoff_id: UUID) -> HttpResponse:
    _check(request, session_id, handoff_id)
    handoffs.reject(handoff_id, request.user.id, request.POST.get("reason", "").replace("\r\n", "\n"))
    return done(request, session_id)


def _check(request: PersonRequest, session_id: UUID, handoff_id: UUID) -> None:
    access.session(request.user.id, session_id, Role.DEVELOPER)
    if selectors.handoff(handoff_id).session_id != session_id:
        raise not_found("handoff")
