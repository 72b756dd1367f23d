"""The tenancy tree: a workspace holds members and projects."""

from django.conf import settings
from django.db import models

from api.rooms.kernel.ids import new_id
from contracts.vocabulary import Language, Role


def one_of(field: str, values: list[str], name: str) -> models.CheckConstraint:
    """A closed set, held by the database."""
    return models.CheckConstraint(condition=models.Q(**{f"{field}__in": values}), name=name)


class Workspace(models.Model):
    """A tenant. Days of spend are computed in its time zone."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    name = models.CharField(max_length=80)
    time_zone = models.CharField(max_length=64, default="America/Sao_Paulo")
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """A person's role in a workspace (viewer < developer < maintainer < owner)."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=16)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["workspace", "user"], name="one_role_per_person"),
            one_of("role", [role.value for role in Role], "membership_role_is_known"),
        ]

    def __str__(self) -> str:
        return f"{self.user} is {self.role} of {self.workspace}"


class Project(models.Model):
    """`language` is the language in which agents answer."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    workspace = models.ForeignKey(Workspace, on_delete=models.CASCADE, related_name="projects")
    name = models.CharField(max_length=80)
    language = models.CharField(max_length=8, default=Language.ENGLISH)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [one_of("language", [language.value for language in Language], "project_language_is_known")]

    def __str__(self) -> str:
        return self.name
