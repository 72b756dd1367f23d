"""Credentials, model bindings, budgets and spend."""

from typing import Annotated
from uuid import UUID

from django.db import transaction
from django.http import HttpResponse
from django.urls import path
from drf_spectacular.utils import extend_schema
from pydantic import Field

from api.rooms.budgets import selectors as budgets
from api.rooms.budgets.domain.metering import Rates
from api.rooms.budgets.selectors import Spend
from api.rooms.gateway import services as gateway
from api.rooms.gateway.domain.bindings import Level, Subject
from api.rooms.gateway.services.catalogue import ModelSpec
from api.rooms.kernel.refusals import Refusal
from api.surfaces import access
from api.surfaces.rest.bodies import read, write
from api.surfaces.rest.views import Request, View
from contracts.agents import card_of
from contracts.base import Message, Micros, Slug
from contracts.problem import ProblemCode
from contracts.vocabulary import Role

Text = Annotated[str, Field(max_length=500)]


class NewCredential(Message):
    """The secret is write-only; an OpenAI-compatible server without keys takes an empty one."""

    provider: Slug
    base_url: Text = ""
    secret: Annotated[str, Field(max_length=4_000)] = ""


class CredentialBody(Message):
    id: UUID


class PriceBody(Message):
    """Micros per million tokens. Zero throughout is accepted only for a private address."""

    input_micros: Micros
    output_micros: Micros


class NewBinding(Message):
    """Without `agent` for the whole scope; with it for one agent of a project."""

    agent: Slug | None = None
    provider: Slug
    base_url: Text = ""
    model: Annotated[str, Field(min_length=1, max_length=200)]
    context_tokens: Annotated[int, Field(ge=1024, le=10_000_000)] | None = None
    price: PriceBody | None = None


class BindingBody(Message):
    id: UUID


def _spec(asked: NewBinding) -> ModelSpec:
    return ModelSpec(asked.provider, asked.model, asked.base_url, asked.context_tokens)


def _rates(price: PriceBody) -> Rates:
    figure = price.input_micros
    return Rates(input=figure, cache_read=figure, cache_write=figure, output=price.output_micros)


class Credentials(View):
    @extend_schema(operation_id="store_credential", request=NewCredential, responses={201: CredentialBody})
    def post(self, request: Request, workspace_id: UUID) -> HttpResponse:
        asked = read(request, NewCredential)
        access.workspace(self.user_id, workspace_id, Role.OWNER)
        stored = gateway.store_credential(workspace_id, asked.provider, asked.base_url, asked.secret)
        return write(CredentialBody(id=stored), status=201)


class ModelBinding(View):
    """One class, three scopes: workspace, project and session."""

    level: Level = Level.WORKSPACE

    @extend_schema(request=NewBinding, responses=BindingBody)
    def put(self, request: Request, scope_id: UUID) -> HttpResponse:
        asked = read(request, NewBinding)
        workspace_id = self._workspace(scope_id)
        subject = self._subject(scope_id, asked.agent)
        with transaction.atomic():  # a price or binding that is refused leaves no model behind
            model_id = gateway.add_model(workspace_id, _spec(asked))
            if asked.price is not None:
                gateway.set_price(workspace_id, model_id, _rates(asked.price))
            bound = gateway.bind(workspace_id, subject, model_id)
        return write(BindingBody(id=bound))

    def _workspace(self, scope_id: UUID) -> UUID:
        """Bindings spend the workspace's money: maintainers and owners only."""
        if self.level is Level.WORKSPACE:
            return access.workspace(self.user_id, scope_id, Role.MAINTAINER).id
        if self.level is Level.PROJECT:
            return access.project(self.user_id, scope_id, Role.MAINTAINER).workspace_id
        return access.session(self.user_id, scope_id, Role.MAINTAINER).project.workspace_id

    def _subject(self, scope_id: UUID, agent: str | None) -> Subject:
        if agent is None:
            return Subject(self.level, scope_id)
        if self.level is not Level.PROJECT or card_of(agent) is None:
            raise Refusal(
                ProblemCode.INVALID_BODY, "`agent` names an agent of the roster, and only in a project's binding."
            )
        return Subject(Level.AGENT, scope_id, agent)


class ProjectSpend(View):
    @extend_schema(operation_id="project_spend", responses={200: dict})
    def get(self, request: Request, project_id: UUID) -> HttpResponse:
        """Totals and the same by agent, model and session; unpriced calls are in no sum of money."""
        access.project(self.user_id, project_id, Role.VIEWER)
        return write(budgets.spend(project_id), Spend)


urlpatterns = [
    path("workspaces/<uuid:workspace_id>/credentials", Credentials.as_view()),
    path("workspaces/<uuid:scope_id>/model-binding", ModelBinding.as_view(level=Level.WORKSPACE)),
    path("projects/<uuid:scope_id>/model-binding", ModelBinding.as_view(level=Level.PROJECT)),
    path("sessions/<uuid:scope_id>/model-binding", ModelBinding.as_view(level=Level.SESSION)),
    path("projects/<uuid:project_id>/spend", ProjectSpend.as_view()),
]
