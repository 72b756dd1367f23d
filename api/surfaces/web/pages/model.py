"""Use your own model: what is used now, and what shall be used from the next call on."""

from dataclasses import dataclass
from uuid import UUID

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from api.rooms.agent_sessions.selectors import SessionCard
from api.rooms.gateway import selectors as gateway
from api.rooms.gateway.domain.bindings import Level, Subject
from api.rooms.kernel.refusals import Refusal
from api.rooms.projects.selectors import ProjectCard
from api.surfaces import access
from api.surfaces.web.pages.model_form import ModelForm, carry_out
from api.surfaces.web.pages.people import PersonRequest, for_people
from api.surfaces.web.sentences import MODEL_FIELDS
from contracts.problem import ProblemCode
from contracts.vocabulary import Role


@dataclass(frozen=True)
class Place:
    """Where the page was opened: a project, or one session of it."""

    project: ProjectCard
    session: SessionCard | None = None

    @property
    def subject(self) -> Subject:
        if self.session:
            return Subject(Level.SESSION, self.session.id)
        return Subject(Level.PROJECT, self.project.id)


@for_people
@require_http_methods(["GET", "POST"])
def of_project(request: PersonRequest, project_id: UUID) -> HttpResponse:
    return _show(request, Place(access.project(request.user.id, project_id, _needed(request))))


@for_people
@require_http_methods(["GET", "POST"])
def of_session(request: PersonRequest, session_id: UUID) -> HttpResponse:
    found = access.session(request.user.id, session_id, _needed(request))
    return _show(request, Place(found.project, found.session))


def _needed(request: PersonRequest) -> Role:
    return Role.MAINTAINER if request.method == "POST" else Role.VIEWER


def _show(request: PersonRequest, place: Place) -> HttpResponse:
    if request.method != "POST":
        return _page(request, place, ModelForm())
    form = ModelForm.read(request.POST)
    try:
        carry_out(place.project, place.subject, form)
    except Refusal as refusal:
        if refusal.code not in (ProblemCode.INVALID_BODY, ProblemCode.INVALID_PARAMETER):
            raise
        return _page(request, place, form, refusal)
    if place.session:
        return redirect("web:session", place.session.id)
    return redirect("web:project-model", place.project.id)


def _page(request: PersonRequest, place: Place, form: ModelForm, refusal: Refusal | None = None) -> HttpResponse:
    role = place.project.role
    field = refusal.facts.get("field", "") if refusal else ""
    context = {
        "project": place.project,
        "session": place.session,
        "form": form,
        "bindings": _in_force(place),
        "allows_private": settings.MUTIRAO_ALLOW_PRIVATE_BASE_URLS,
        "may_change": role.covers(Role.MAINTAINER),
        "may_store": role.covers(Role.OWNER),
        "problem": MODEL_FIELDS.get(field, MODEL_FIELDS["other"]) if refusal else "",
        "problem_field": field,
        "problem_detail": refusal.detail if refusal else "",
    }
    return render(request, "pages/model.html", context, status=refusal.status if refusal else 200)


def _in_force(place: Place) -> tuple[gateway.BindingCard, ...]:
    """The bindings that can matter here, narrowest first."""
    here = {place.project.workspace_id, place.project.id, place.session.id if place.session else None}
    order = list(Level)
    cards = [card for card in gateway.bindings_of(place.project.workspace_id) if card.subject.id in here]
    return tuple(sorted(cards, key=lambda card: order.index(card.subject.level)))
