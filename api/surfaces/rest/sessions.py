"""Workspaces, projects and sessions."""

from uuid import UUID

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema

from api.rooms.agent_sessions import selectors as sessions
from api.rooms.agent_sessions import services as agent_sessions
from api.rooms.projects import selectors as projects
from api.rooms.projects import services as founding
from api.rooms.turns import services as turns
from api.surfaces import access
from api.surfaces.rest.bodies import read, whole_number, write
from api.surfaces.rest.documents import (
    EventsBody,
    NewProject,
    NewSession,
    ProjectBody,
    ProjectList,
    RenamedSession,
    SessionBody,
    SessionList,
    WorkspaceList,
)
from api.surfaces.rest.views import Request, View
from contracts.limits import DEFAULT_EVENTS_PAGE, MAX_EVENTS_PAGE
from contracts.vocabulary import Role

MAX_SEQ = 2**31 - 1


class Workspaces(View):
    @extend_schema(operation_id="list_workspaces", responses=WorkspaceList)
    def get(self, request: Request) -> HttpResponse:
        return write(projects.workspaces_of(self.user_id))


class Projects(View):
    @extend_schema(operation_id="list_projects", responses=ProjectList)
    def get(self, request: Request) -> HttpResponse:
        return write(projects.projects_of(self.user_id))

    @extend_schema(operation_id="create_project", request=NewProject, responses={201: ProjectBody})
    def post(self, request: Request) -> HttpResponse:
        asked = read(request, NewProject)
        access.workspace(self.user_id, asked.workspace_id, Role.DEVELOPER)
        card = founding.create_project(self.user_id, asked.workspace_id, asked.name, asked.language)
        return write(card, status=201)


class ProjectSessions(View):
    @extend_schema(operation_id="list_sessions", responses=SessionList)
    def get(self, request: Request, project_id: UUID) -> HttpResponse:
        access.project(self.user_id, project_id, Role.VIEWER)
        return write(sessions.sessions_of(project_id))

    @extend_schema(operation_id="open_session", request=NewSession, responses={201: SessionBody})
    def post(self, request: Request, project_id: UUID) -> HttpResponse:
        asked = read(request, NewSession)
        access.project(self.user_id, project_id, Role.DEVELOPER)
        session_id = agent_sessions.open_session(project_id, self.user_id, asked.kind, asked.name)
        return write(sessions.session(session_id), status=201)


class OneSession(View):
    @extend_schema(operation_id="get_session", responses=SessionBody)
    def get(self, request: Request, session_id: UUID) -> HttpResponse:
        return write(access.session(self.user_id, session_id, Role.VIEWER).session)

    @extend_schema(operation_id="rename_session", request=RenamedSession, responses=SessionBody)
    def patch(self, request: Request, session_id: UUID) -> HttpResponse:
        asked = read(request, RenamedSession)
        access.session(self.user_id, session_id, Role.DEVELOPER)
        agent_sessions.rename(session_id, asked.name)
        return write(sessions.session(session_id))


class CloseSession(View):
    @extend_schema(operation_id="close_session", request=None, responses=SessionBody)
    def post(self, request: Request, session_id: UUID) -> HttpResponse:
        access.session(self.user_id, session_id, Role.DEVELOPER)
        turns.close_session(session_id, self.user_id)
        return write(sessions.session(session_id))


class Events(View):
    query = frozenset({"after", "limit"})

    @extend_schema(
        operation_id="list_events",
        responses=EventsBody,
        parameters=[
            OpenApiParameter("after", {"type": "integer", "minimum": 0, "maximum": MAX_SEQ, "default": 0}),
            OpenApiParameter(
                "limit",
                {"type": "integer", "minimum": 1, "maximum": MAX_EVENTS_PAGE, "default": DEFAULT_EVENTS_PAGE},
            ),
        ],
    )
    def get(self, request: Request, session_id: UUID) -> HttpResponse:
        """The truth: each event exactly once, in seq order, as it was hashed."""
        after = whole_number(request, "after", 0, 0, MAX_SEQ)
        limit = whole_number(request, "limit", DEFAULT_EVENTS_PAGE, 1, MAX_EVENTS_PAGE)
        access.session(self.user_id, session_id, Role.VIEWER)
        page = sessions.raw_events(session_id, after, limit)
        text = (
            f'{{"events":[{",".join(page.texts)}],"has_more":{"true" if page.has_more else "false"},'
            f'"head_seq":{page.head_seq}}}'
        )
        return HttpResponse(text, content_type="application/json")
