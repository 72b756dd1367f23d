"""Found workspaces, begin projects, and decide who belongs to a workspace in which role."""

from uuid import UUID

from django.db import transaction

from api.rooms.accounts import rights
from api.rooms.kernel.refusals import Refusal, not_found
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


@transaction.atomic
def set_role(workspace_id: UUID, user_id: UUID, role: Role) -> None:
    """Takes a person in, or changes the role of who is in."""
    _lock(workspace_id)
    if role is not Role.OWNER:
        _refuse_for_the_last_owner(workspace_id, user_id)
    Membership.objects.update_or_create(workspace_id=workspace_id, user_id=user_id, defaults={"role": role})
    rights.changed(user_id)


@transaction.atomic
def change_role(workspace_id: UUID, user_id: UUID, role: Role) -> None:
    """Of a member only: nobody is taken in by this."""
    _lock(workspace_id)
    _need_member(workspace_id, user_id)
    set_role(workspace_id, user_id, role)


@transaction.atomic
def remove_member(workspace_id: UUID, user_id: UUID) -> None:
    """Their open sockets close at once, their next call finds nothing."""
    _lock(workspace_id)
    _need_member(workspace_id, user_id)
    _refuse_for_the_last_owner(workspace_id, user_id)
    Membership.objects.filter(workspace_id=workspace_id, user_id=user_id).delete()
    rights.changed(user_id)


def _lock(workspace_id: UUID) -> None:
    """Two owners who leave at once must see each other."""
    Workspace.objects.select_for_update().filter(id=workspace_id).first()


def _need_member(workspace_id: UUID, user_id: UUID) -> None:
    if not Membership.objects.filter(workspace_id=workspace_id, user_id=user_id).exists():
        raise not_found("member")


def _refuse_for_the_last_owner(workspace_id: UUID, user_id: UUID) -> None:
    owners = Membership.objects.filter(workspace_id=workspace_id, role=Role.OWNER).values_list("user_id", flat=True)
    if set(owners) == {user_id}:
        raise Refusal(
            ProblemCode.LAST_OWNER,
            "A workspace keeps at least one owner: give somebody else the role owner first.",
            {"user_id": str(user_id)},
        )


def create_project(user_id: UUID, workspace_id: UUID, name: str, language: Language) -> selectors.ProjectCard:
    """Needs the role developer in the workspace; the caller has checked it."""
    project = Project.objects.create(workspace_id=workspace_id, name=clean_name(name, "project"), language=language)
    return selectors.project(user_id, project.id)
