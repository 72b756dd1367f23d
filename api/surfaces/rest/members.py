"""Who belongs to a workspace, and in which role."""

from uuid import UUID

from django.http import HttpResponse
from django.urls import path
from drf_spectacular.utils import extend_schema
from pydantic import RootModel

from api.rooms.projects import selectors, services
from api.surfaces import access
from api.surfaces.rest.bodies import read, write
from api.surfaces.rest.views import Request, View
from contracts.base import Message
from contracts.vocabulary import Role


class MemberBody(Message):
    user_id: UUID
    name: str
    email: str
    role: Role


class MemberList(RootModel[list[MemberBody]]):
    """All members of a workspace, by name."""


class NewRole(Message):
    role: Role


class Members(View):
    @extend_schema(operation_id="list_members", responses=MemberList)
    def get(self, request: Request, workspace_id: UUID) -> HttpResponse:
        access.workspace(self.user_id, workspace_id, Role.VIEWER)
        return write(selectors.members_of(workspace_id))


class Member(View):
    @extend_schema(operation_id="change_role", request=NewRole, responses=MemberList)
    def put(self, request: Request, workspace_id: UUID, member_id: UUID) -> HttpResponse:
        """409 `last_owner` when nobody else would own the workspace. What was open to the old role closes at once."""
        asked = read(request, NewRole)
        access.workspace(self.user_id, workspace_id, Role.OWNER)
        services.change_role(workspace_id, member_id, asked.role)
        return write(selectors.members_of(workspace_id))

    @extend_schema(operation_id="remove_member", request=None, responses={204: None})
    def delete(self, request: Request, workspace_id: UUID, member_id: UUID) -> HttpResponse:
        """Owners remove whom they want; everybody may leave."""
        access.workspace(self.user_id, workspace_id, Role.VIEWER if member_id == self.user_id else Role.OWNER)
        services.remove_member(workspace_id, member_id)
        return HttpResponse(status=204)


urlpatterns = [
    path("workspaces/<uuid:workspace_id>/members", Members.as_view()),
    path("workspaces/<uuid:workspace_id>/members/<uuid:member_id>", Member.as_view()),
]
