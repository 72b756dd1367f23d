"""What a person does in a conversation: say, take back, stop, continue, answer."""

from uuid import UUID

from django.http import HttpResponse
from django.views.decorators.http import require_POST

from api.rooms.turns import services as turns
from api.surfaces import access
from api.surfaces.web.pages.fragments import done
from api.surfaces.web.pages.people import PersonRequest, for_people
from contracts.vocabulary import Role

ANSWER_PREFIX = "answer-"


@for_people
@require_POST
def send(request: PersonRequest, session_id: UUID) -> HttpResponse:
    """The browser names the message, so that sending it again sends nothing twice."""
    access.session(request.user.id, session_id, Role.DEVELOPER)
    text = request.POST.get("text", "").replace("\r\n", "\n")
    turns.send_message(session_id, request.user.id, text, request.POST.get("client_message_id", ""))
    return done(request, session_id)


@for_people
@require_POST
def cancel(request: PersonRequest, session_id: UUID, seq: int) -> HttpResponse:
    access.session(request.user.id, session_id, Role.DEVELOPER)
    turns.cancel_message(session_id, request.user.id, seq)
    return done(request, session_id)


@for_people
@require_POST
def stop(request: PersonRequest, session_id: UUID) -> HttpResponse:
    access.session(request.user.id, session_id, Role.DEVELOPER)
    turns.stop(session_id, request.user.id)
    return done(request, session_id)


@for_people
@require_POST
def go_on(request: PersonRequest, session_id: UUID) -> HttpResponse:
    access.session(request.user.id, session_id, Role.DEVELOPER)
    turns.continue_turn(session_id, request.user.id)
    return done(request, session_id)


@for_people
@require_POST
def answer(request: PersonRequest, session_id: UUID, question_set_id: UUID) -> HttpResponse:
    """A field `other-<id>` is the free text of an open list; it counts where the list's choice is empty."""
    access.session(request.user.id, session_id, Role.DEVELOPER)
    answers = {
        name.removeprefix(ANSWER_PREFIX): str(value).replace("\r\n", "\n")
        or request.POST.get(f"other-{name.removeprefix(ANSWER_PREFIX)}", "")
        for name, value in request.POST.items()
        if name.startswith(ANSWER_PREFIX)
    }
    turns.answer_questions(session_id, request.user.id, question_set_id, answers)
    return done(request, session_id)
