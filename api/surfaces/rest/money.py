"""Keys of providers, and what a project spent."""

from dataclasses import asdict
from datetime import datetime
from typing import Annotated
from uuid import UUID

from django.http import HttpResponse
from django.urls import path
from drf_spectacular.utils import extend_schema
from pydantic import Field

from api.rooms.budgets import selectors as budgets
from api.rooms.budgets.selectors import Spend
from api.rooms.gateway import selectors
from api.rooms.gateway import services as gateway
from api.rooms.kernel.refusals import not_found
from api.surfaces import access
from api.surfaces.rest.bodies import read, write
from api.surfaces.rest.views import Request, View
from contracts.base import Message, Slug
from contracts.vocabulary import Role

Text = Annotated[str, Field(max_length=500)]


class NewCredential(Message):
    """The secret is write-only; an OpenAI-compatible server without keys takes an empty one."""

    provider: Slug
    base_url: Text = ""
    secret: Annotated[str, Field(max_length=4_000)] = ""


class CredentialBody(Message):
    id: UUID


class StoredCredential(Message):
    """A key without the key."""

    id: UUID
    provider: str
    base_url: str
    has_secret: bool
    created_at: datetime
    replaced_at: datetime | None


class StoredCredentials(Message):
    credentials: tuple[StoredCredential, ...]


class Credentials(View):
    @extend_schema(operation_id="list_credentials", responses=StoredCredentials)
    def get(self, request: Request, workspace_id: UUID) -> HttpResponse:
        del request
        access.workspace(self.user_id, workspace_id, Role.MAINTAINER)
        cards = selectors.credentials_of(workspace_id)
        return write(StoredCredentials(credentials=tuple(StoredCredential(**asdict(card)) for card in cards)))

    @extend_schema(operation_id="store_credential", request=NewCredential, responses={201: CredentialBody})
    def post(self, request: Request, workspace_id: UUID) -> HttpResponse:
        asked = read(request, NewCredential)
        access.workspace(self.user_id, workspace_id, Role.OWNER)
        stored = gateway.store_credential(workspace_id, asked.provider, asked.base_url, asked.secret)
        return write(CredentialBody(id=stored), status=201)


class OneCredential(View):
    @extend_schema(operation_id="forget_credential", responses={204: None})
    def delete(self, request: Request, workspace_id: UUID, credential_id: UUID) -> HttpResponse:
        del request
        access.workspace(self.user_id, workspace_id, Role.OWNER)
        if not gateway.forget_credential(workspace_id, credential_id):
            raise not_found("credential")
        return HttpResponse(status=204)


class ProjectSpend(View):
    @extend_schema(operation_id="project_spend", responses={200: dict})
    def get(self, request: Request, project_id: UUID) -> HttpResponse:
        """Totals and the same by agent, model and session; unpriced calls are in no sum of money."""
        access.project(self.user_id, project_id, Role.VIEWER)
        return write(budgets.spend(project_id), Spend)


urlpatterns = [
    path("workspaces/<uuid:workspace_id>/credentials", Credentials.as_view()),
    path("workspaces/<uuid:workspace_id>/credentials/<uuid:credential_id>", OneCredential.as_view()),
    path("projects/<uuid:project_id>/spend", ProjectSpend.as_view()),
]
