"""Where in the log a project's architecture stands: one row for each version of each thing, written with its event."""

from enum import StrEnum

from django.db import models

from api.rooms.agent_sessions.models import Session
from api.rooms.kernel.ids import new_id
from api.rooms.projects.models import Project, one_of


class Kind(StrEnum):
    MODULE_MAP = "module_map"
    PROJECT_IMAGE = "project_image"
    C4_DIAGRAM = "c4_diagram"
    INSIGHT = "insight"
    PROTOTYPE = "prototype"


class ArchitectureVersion(models.Model):
    """What it says is the event; the highest version of a kind is the one that holds (RN-065).

    `confirmed_at` is set on a module map when a person confirmed the architecture that it stands for.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="+")
    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="+")
    kind = models.CharField(max_length=16)
    version = models.IntegerField()
    event_id = models.UUIDField(unique=True)
    confirmed_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "kind", "version"], name="one_architecture_by_version"),
            one_of("kind", [each.value for each in Kind], "architecture_kind_is_known"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.version} of {self.project_id}"
