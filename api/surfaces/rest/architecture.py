"""A project's architecture, its confirmation, and what agents proposed to do."""

from uuid import UUID

from django.http import HttpResponse
from django.urls import path
from drf_spectacular.utils import extend_schema

from api.rooms.actions import selectors as proposed
from api.rooms.actions import services as actions
from api.rooms.architecture.selectors import architecture
from api.rooms.backlog import services as backlog
from api.rooms.backlog.pendencies import pendencies
from api.surfaces import access
from api.surfaces.rest.architecture_bodies import (
    ActionBody,
    ActionList,
    ApprovalOf,
    ArchitectureBody,
    ConfirmationOf,
    body_of,
)
from api.surfaces.rest.backlog_bodies import Reason
from api.surfaces.rest.bodies import read, write
from api.surfaces.rest.views import Request, View
from contracts.vocabulary import Role


class Architecture(View):
    @extend_schema(operation_id="get_architecture", responses=ArchitectureBody)
    def get(self, request: Request, project_id: UUID) -> HttpResponse:
        """The module map that holds, image, C4, insights, and the stories whose place is open."""
        access.project(self.user_id, project_id, Role.VIEWER)
        return write(body_of(architecture(project_id), pendencies(project_id)))


class Confirm(View):
    @extend_schema(operation_id="confirm_architecture", request=ConfirmationOf, responses=ArchitectureBody)
    def post(self, request: Request, project_id: UUID) -> HttpResponse:
        """The Architect sums it up and offers the work. The same again changes nothing."""
        asked = read(request, ConfirmationOf)
        access.project(self.user_id, project_id, Role.DEVELOPER)
        backlog.confirm_architecture(project_id, self.user_id, asked.map_version)
        return write(body_of(architecture(project_id), pendencies(project_id)))


class Actions(View):
    @extend_schema(operation_id="list_actions", responses=ActionList)
    def get(self, request: Request, project_id: UUID) -> HttpResponse:
        """The newest first."""
        access.project(self.user_id, project_id, Role.VIEWER)
        return write(proposed.of_project(project_id))


class Approve(View):
    @extend_schema(operation_id="approve_action", request=ApprovalOf, responses=ActionBody)
    def post(self, request: Request, action_id: UUID) -> HttpResponse:
        """Bound to the hash of what you were shown."""
        asked = read(request, ApprovalOf)
        access.action(self.user_id, action_id, Role.MAINTAINER)
        return write(actions.approve(action_id, self.user_id, asked.content_sha256))


class Deny(View):
    @extend_schema(operation_id="deny_action", request=Reason, responses=ActionBody)
    def post(self, request: Request, action_id: UUID) -> HttpResponse:
        """The agent reads the reason."""
        asked = read(request, Reason)
        access.action(self.user_id, action_id, Role.MAINTAINER)
        return write(actions.deny(action_id, self.user_id, asked.reason))


PROJECT = "projects/<uuid:project_id>"
urlpatterns = [
    path(f"{PROJECT}/architecture", Architecture.as_view()),
    path(f"{PROJECT}/architecture/confirm", Confirm.as_view()),
    path(f"{PROJECT}/actions", Actions.as_view()),
    path("actions/<uuid:action_id>/approve", Approve.as_view()),
    path("actions/<uuid:action_id>/deny", Deny.as_view()),
]
