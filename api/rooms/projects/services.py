"""Found workspaces, take people in, begin projects."""

from uuid import UUID

from django.db import transaction

from api.rooms.kernel.refusals import Refusal
from api.rooms.projects import selectors
from api.rooms.projects.models import Membership, Project, Workspace
from contracts.base import has_forbidden_character
from contracts.limits import MAX_NAME_CHARS
from contracts.problem import ProblemCode
from contracts.vocabulary import Language, Role


def clean_name(name: str, what: str) -> str:
    """Trimmed; refused when blank, too long, or not storable."""
    name = name.strip()
    if not name or len(name) > MAX_NAME_CHARS or has_forbidden_character(name):
        raise Refusal(
            ProblemCode.INVALID_BODY,
            f"A {what}'s name has 1 to {MAX_NAME_CHARS} characters, without NUL or lone surrogates.",
            {"field": "name"},
        )
    return name


@transaction.atomic
def found_workspace(name: str, owner_id: UUID, time_zone: str = "America/Sao_Paulo") -> UUID:
    workspace = Workspace.objects.create(name=clean_name(name, "workspace"), time_zone=time_zone)
    Membership.objects.create(workspace=workspace, user_id=owner_id, role=Role.OWNER)
    return workspace.id


def set_role(workspace_id: UUID, user_id: UUID, role: Role) -> None:
    Membership.objects.update_or_create(workspace_id=workspace_id, user_id=user_id, defaults={"role": role})


def remove_member(workspace_id: UUID, user_id: UUID) -> None:
    Membership.objects.filter(workspace_id=workspace_id, user_id=user_id).delete()


def create_project(user_id: UUID, workspace_id: UUID, name: str, language: Language) -> selectors.ProjectCard:
    """Needs the role developer in the workspace; the caller has checked it."""
    project = Project.objects.create(workspace_id=workspace_id, name=clean_name(name, "project"), language=language)
    return selectors.project(user_id, project.id)
