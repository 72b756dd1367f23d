"""A workspace with a project and a session, and people in it by role."""

from dataclasses import dataclass, replace
from uuid import UUID

from api.rooms.accounts.models import User
from api.rooms.accounts.services import issue_token
from api.rooms.agent_sessions import services as agent_sessions
from api.rooms.kernel.ids import new_id
from api.rooms.projects import services as projects
from contracts.vocabulary import Language, Role, SessionKind


@dataclass(frozen=True)
class Place:
    """One tenant: its owner, and one session of one project."""

    user_id: UUID
    workspace_id: UUID
    project_id: UUID
    session_id: UUID

    def another_session(self, kind: SessionKind = SessionKind.CREATIVE) -> "Place":
        return replace(self, session_id=agent_sessions.open_session(self.project_id, self.user_id, kind))


def new_person(name: str = "Ana") -> UUID:
    return User.objects.create(email=f"{new_id()}@example.org", name=name).id


def new_place(kind: SessionKind = SessionKind.CREATIVE) -> Place:
    user_id = new_person()
    workspace_id = projects.found_workspace("Vizinhança", user_id)
    project_id = projects.create_project(user_id, workspace_id, "Feira do bairro", Language.PORTUGUESE).id
    return Place(user_id, workspace_id, project_id, agent_sessions.open_session(project_id, user_id, kind))


def new_member(place: Place, role: Role) -> UUID:
    user_id = new_person(role.name.title())
    projects.set_role(place.workspace_id, user_id, role)
    return user_id


def token_of(user_id: UUID) -> str:
    return issue_token(user_id, "test")
