"""Which model is used by a workspace, project, area, agent or session; inherit again."""

from uuid import UUID

from django.db import transaction
from django.http import HttpResponse
from django.urls import path
from drf_spectacular.utils import OpenApiParameter, extend_schema

from api.rooms.gateway import services as gateway
from api.rooms.gateway.chains import chain_of
from api.rooms.gateway.domain.bindings import Level, Subject
from api.rooms.kernel.refusals import Refusal, not_found
from api.surfaces import access
from api.surfaces.rest.binding_bodies import BindingBody, BindingChain, NewBinding, chain_body, rates_of, spec_of
from api.surfaces.rest.bodies import read, write
from api.surfaces.rest.views import Request, View
from contracts.agents import Area, card_of
from contracts.problem import ProblemCode
from contracts.vocabulary import Role

AGENT = OpenApiParameter("agent", str, description="One agent of a project.")
AREA = OpenApiParameter("area", str, enum=[*Area], description="All agents of one area of a project.")

AREAS = tuple(area.value for area in Area)


class ModelBinding(View):
    """One class, three scopes: workspace, project and session."""

    level: Level = Level.WORKSPACE
    query = frozenset({"agent", "area"})

    @extend_schema(parameters=[AGENT, AREA], responses=BindingChain)
    def get(self, request: Request, scope_id: UUID) -> HttpResponse:
        """Which model is used here, and from where that is inherited."""
        agent, area = self._asked(request)
        self._subject(scope_id, agent, area)
        chain = chain_of(*self._place(scope_id), agent, area=area)
        return write(chain_body(chain))

    @extend_schema(parameters=[AGENT, AREA], responses={204: None})
    def delete(self, request: Request, scope_id: UUID) -> HttpResponse:
        """Inherit again; 404 when nothing is bound here."""
        workspace_id = self._workspace(scope_id)
        subject = self._subject(scope_id, *self._asked(request))
        if not gateway.unbind(workspace_id, subject):
            raise not_found("binding at this level: it inherits already")
        return HttpResponse(status=204)

    @extend_schema(request=NewBinding, responses=BindingBody)
    def put(self, request: Request, scope_id: UUID) -> HttpResponse:
        asked = read(request, NewBinding)
        workspace_id = self._workspace(scope_id)
        subject = self._subject(scope_id, asked.agent, asked.area)
        spec = spec_of(asked)
        access.naming(self.user_id, workspace_id, spec, sets_price=asked.price is not None)
        with transaction.atomic():  # a price or binding that is refused leaves no model behind
            model_id = gateway.add_model(workspace_id, spec)
            if asked.price is not None:
                gateway.set_price(workspace_id, model_id, rates_of(asked.price), self.user_id)
            bound = gateway.bind(workspace_id, subject, model_id)
        return write(BindingBody(id=bound))

    def _place(self, scope_id: UUID) -> tuple[UUID, UUID | None, UUID | None]:
        if self.level is Level.WORKSPACE:
            return access.workspace(self.user_id, scope_id, Role.VIEWER).id, None, None
        if self.level is Level.PROJECT:
            return access.project(self.user_id, scope_id, Role.VIEWER).workspace_id, scope_id, None
        project = access.session(self.user_id, scope_id, Role.VIEWER).project
        return project.workspace_id, project.id, scope_id

    def _workspace(self, scope_id: UUID) -> UUID:
        """Bindings spend the workspace's money: maintainers and owners only."""
        if self.level is Level.WORKSPACE:
            return access.workspace(self.user_id, scope_id, Role.MAINTAINER).id
        if self.level is Level.PROJECT:
            return access.project(self.user_id, scope_id, Role.MAINTAINER).workspace_id
        return access.session(self.user_id, scope_id, Role.MAINTAINER).project.workspace_id

    def _asked(self, request: Request) -> tuple[str | None, Area | None]:
        area = request.query_params.get("area")
        if area is not None and area not in AREAS:
            raise Refusal(ProblemCode.INVALID_PARAMETER, f"`area` is one of {', '.join(AREAS)}.", {"field": "area"})
        return request.query_params.get("agent"), Area(area) if area else None

    def _subject(self, scope_id: UUID, agent: str | None, area: Area | None) -> Subject:
        if agent is None and area is None:
            return Subject(self.level, scope_id)
        if self.level is not Level.PROJECT or (agent and area) or (agent and card_of(agent) is None):
            raise Refusal(
                ProblemCode.INVALID_BODY,
                "`agent` names an agent of the roster or `area` an area, not both, and only in a project's binding.",
            )
        return Subject(Level.AGENT, scope_id, agent) if agent else Subject(Level.AREA, scope_id, str(area))


urlpatterns = [
    path("workspaces/<uuid:scope_id>/model-binding", ModelBinding.as_view(level=Level.WORKSPACE)),
    path("projects/<uuid:scope_id>/model-binding", ModelBinding.as_view(level=Level.PROJECT)),
    path("sessions/<uuid:scope_id>/model-binding", ModelBinding.as_view(level=Level.SESSION)),
]
