"""One session: the conversation, the rules so far, and what can be decided."""

from typing import Any
from uuid import UUID, uuid4

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from api.rooms.agent_sessions import services as agent_sessions
from api.rooms.backlog import selectors as backlog
from api.rooms.budgets import selectors as budgets
from api.rooms.budgets.domain.places import Place
from api.rooms.gateway import selectors as gateway
from api.rooms.gateway.selectors import LiveCall
from api.rooms.projects.selectors import ProjectCard
from api.rooms.turns import services as turns
from api.surfaces import access
from api.surfaces.web.pages.people import PersonRequest, for_people
from api.surfaces.web.pages.words import words
from api.surfaces.web.timeline import reading
from api.surfaces.web.timeline.reading import Reader, Reading
from contracts.agents import ROSTER, may_receive_handoff
from contracts.limits import MAX_MESSAGE_CHARS, MAX_REASON_CHARS
from contracts.vocabulary import Role, SessionKind, SessionStatus

ANSWERS = {SessionKind.CREATIVE: "creative", SessionKind.CONSULTATIVE: "assistant"}
"""Who answers while no agent is active."""

SCOPED = "story_editor"
RECEIVERS = tuple(
    card.slug for card in ROSTER.values() if card.is_available and may_receive_handoff(card) and card.slug != SCOPED
)
"""To whom a person may hand the work; the Story Editor is chosen with an epic."""


@for_people
@require_GET
def show(request: PersonRequest, session_id: UUID) -> HttpResponse:
    found = access.session(request.user.id, session_id, Role.VIEWER)
    context = {
        **frame(found, reader_of(request, found)),
        "receivers": RECEIVERS,
        "epics": backlog.epics(found.project.id),
        "words": words(),
        "client_message_id": uuid4(),
        "max_message_chars": MAX_MESSAGE_CHARS,
    }
    return render(request, "pages/session.html", context)


def reader_of(request: PersonRequest, found: access.SessionAccess) -> Reader:
    is_open = found.session.status is SessionStatus.ACTIVE
    return Reader(request.user.id, may_act=is_open and found.project.role.covers(Role.DEVELOPER))


def frame(found: access.SessionAccess, reader: Reader) -> dict[str, Any]:
    """The whole of the page's own context."""
    shown = reading.tail(found.session.id, found.session.last_seq, reader)
    return context_of(found, reader, shown)


def context_of(found: access.SessionAccess, reader: Reader, shown: Reading) -> dict[str, Any]:
    project: ProjectCard = found.project
    answering = shown.conversation.active_agent or ANSWERS[found.session.kind]
    return {
        "session": found.session,
        "project": project,
        "reader": reader,
        "reading": shown,
        "talk": shown.conversation,
        "spend": budgets.session_spend(found.session.id),
        "tightest": budgets.tightest(Place(project.workspace_id, project.id, found.session.id)),
        "max_reason_chars": MAX_REASON_CHARS,
        "answering": answering,
        "waits": _waits(found.session.id) if shown.conversation.running else (),
        "is_rehearsal": gateway.model_facts(found.session.id, answering).is_rehearsal,
    }


def _waits(session_id: UUID) -> tuple[LiveCall, ...]:
    """The page counts down with HTTP alone: a socket is a hint (law 8, F28)."""
    return tuple(call for call in gateway.live_texts(session_id) if call.wait is not None and not call.text)


@for_people
@require_POST
def rename(request: PersonRequest, session_id: UUID) -> HttpResponse:
    access.session(request.user.id, session_id, Role.DEVELOPER)
    agent_sessions.rename(session_id, request.POST.get("name", ""))
    return redirect("web:session", session_id)


@for_people
@require_POST
def close(request: PersonRequest, session_id: UUID) -> HttpResponse:
    access.session(request.user.id, session_id, Role.DEVELOPER)
    turns.close_session(session_id, request.user.id)
    return redirect("web:session", session_id)
