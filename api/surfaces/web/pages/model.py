"""Which model is used in a workspace, a project, by one agent of it, or in a session: inherited or chosen here."""

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from api.rooms.gateway import services as gateway
from api.rooms.gateway.domain.bindings import Level, Subject
from api.rooms.kernel.refusals import Refusal
from api.surfaces import access
from api.surfaces.web.model_form import ModelForm, carry_out
from api.surfaces.web.pages.model_page import Asked, Scope, agents, page
from api.surfaces.web.pages.people import PersonRequest, for_people
from contracts.problem import ProblemCode
from contracts.vocabulary import Role

TYPED_WRONGLY = (ProblemCode.INVALID_BODY, ProblemCode.INVALID_PARAMETER)


@for_people
@require_http_methods(["GET", "POST"])
def of_workspace(request: PersonRequest, workspace_id: UUID) -> HttpResponse:
    workspace = access.workspace(request.user.id, workspace_id, _needed(request))
    return _show(request, Scope(workspace, Subject(Level.WORKSPACE, workspace.id)))


@for_people
@require_http_methods(["GET", "POST"])
def of_project(request: PersonRequest, project_id: UUID) -> HttpResponse:
    project = access.project(request.user.id, project_id, _needed(request))
    workspace = access.workspace(request.user.id, project.workspace_id, Role.VIEWER)
    agent = request.POST.get("agent", "") or request.GET.get("agent", "")
    if agent and agent not in agents():
        raise Refusal(ProblemCode.NOT_FOUND, "This agent does not exist, or is not available yet.")
    subject = Subject(Level.AGENT, project.id, agent) if agent else Subject(Level.PROJECT, project.id)
    return _show(request, Scope(workspace, subject, project))


@for_people
@require_http_methods(["GET", "POST"])
def of_session(request: PersonRequest, session_id: UUID) -> HttpResponse:
    found = access.session(request.user.id, session_id, _needed(request))
    workspace = access.workspace(request.user.id, found.project.workspace_id, Role.VIEWER)
    subject = Subject(Level.SESSION, found.session.id)
    return _show(request, Scope(workspace, subject, found.project, found.session))


def _needed(request: PersonRequest) -> Role:
    return Role.MAINTAINER if request.method == "POST" else Role.VIEWER


def _show(request: PersonRequest, scope: Scope) -> HttpResponse:
    if request.method != "POST":
        return page(request, scope, Asked(ModelForm.of_preset(request.GET.get("preset", ""))))
    form = ModelForm.read(request.POST)
    asked = request.POST.get("do", "name")
    try:
        _change(request, scope, asked, form)
    except Refusal as refusal:
        if refusal.code not in TYPED_WRONGLY:
            raise
        return page(request, scope, Asked(form, asked, refusal))
    return redirect(scope.way_back)


def _change(request: PersonRequest, scope: Scope, asked: str, form: ModelForm) -> None:
    if asked == "inherit":
        gateway.unbind(scope.workspace.id, scope.subject)
    elif asked == "choose":
        gateway.bind(scope.workspace.id, scope.subject, _chosen(request))
    else:
        access.naming(request.user.id, scope.workspace.id, form.spec, sets_price=form.has_price)
        carry_out(request.user.id, scope.workspace, scope.subject, form)


def _chosen(request: PersonRequest) -> UUID:
    try:
        return UUID(request.POST.get("model_id", ""))
    except ValueError:
        raise Refusal(ProblemCode.INVALID_PARAMETER, "Choose one of the models.", {"field": "choice"}) from None
