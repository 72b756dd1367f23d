"""What a person may see of workspaces and projects."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from api.rooms.kernel import statements
from api.rooms.kernel.refusals import not_found
from api.rooms.projects.models import Membership, Project
from contracts.vocabulary import Language, Role


@dataclass(frozen=True)
class WorkspaceCard:
    id: UUID
    name: str
    role: Role
    time_zone: str


@dataclass(frozen=True)
class ProjectCard:
    id: UUID
    name: str
    language: Language
    workspace_id: UUID
    workspace_name: str
    role: Role
    created_at: datetime


@dataclass(frozen=True)
class ProjectName:
    """What an agent is told of the project it works in."""

    name: str
    language: Language


def name_of(project_id: UUID) -> ProjectName:
    row = statements.row("SELECT name, language FROM projects_project WHERE id = %s", [project_id])
    if row is None:
        raise not_found("project")
    return ProjectName(row[0], Language(row[1]))


def workspaces_of(user_id: UUID) -> tuple[WorkspaceCard, ...]:
    rows = Membership.objects.filter(user_id=user_id).select_related("workspace").order_by("workspace__name")
    return tuple(
        WorkspaceCard(row.workspace.id, row.workspace.name, Role(row.role), row.workspace.time_zone) for row in rows
    )


def workspace(user_id: UUID, workspace_id: UUID) -> WorkspaceCard:
    for card in workspaces_of(user_id):
        if card.id == workspace_id:
            return card
    raise not_found("workspace")


@dataclass(frozen=True)
class MemberCard:
    user_id: UUID
    name: str
    email: str
    role: Role


def members_of(workspace_id: UUID) -> tuple[MemberCard, ...]:
    """By name; the caller has checked that the workspace may be seen."""
    rows = Membership.objects.filter(workspace_id=workspace_id).select_related("user").order_by("user__name", "id")
    return tuple(MemberCard(row.user.id, row.user.name, row.user.email, Role(row.role)) for row in rows)


def _cards(user_id: UUID, **only: UUID) -> tuple[ProjectCard, ...]:
    rows = (
        Project.objects.filter(workspace__memberships__user_id=user_id, **only)
        .order_by("-created_at")
        .values_list(
            "id", "name", "language", "workspace_id", "workspace__name", "workspace__memberships__role", "created_at"
        )
    )
    return tuple(
        ProjectCard(project_id, name, Language(language), workspace_id, workspace_name, Role(role), created_at)
        for project_id, name, language, workspace_id, workspace_name, role, created_at in rows
    )


def projects_of(user_id: UUID) -> tuple[ProjectCard, ...]:
    """Newest first."""
    return _cards(user_id)


def project(user_id: UUID, project_id: UUID) -> ProjectCard:
    """Refused as not found when it is another tenant's."""
    cards = _cards(user_id, id=project_id)
    if not cards:
        raise not_found("project")
    return cards[0]
