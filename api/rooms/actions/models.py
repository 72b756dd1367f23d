"""A proposed action: its content never changes, its status does once."""

from django.conf import settings
from django.db import models

from api.rooms.agent_sessions.models import Session
from api.rooms.kernel.ids import new_id
from api.rooms.projects.models import Project, one_of
from contracts.actions import ActionStatus, ActionType
from contracts.limits import MAX_REASON_CHARS, MAX_TITLE_CHARS


class ProposedAction(models.Model):
    """`content_sha256` is of type, title and content: an approval names it."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="+")
    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="+")
    agent = models.CharField(max_length=64)
    action_type = models.CharField(max_length=32)
    title = models.CharField(max_length=MAX_TITLE_CHARS)
    content = models.JSONField()
    content_sha256 = models.CharField(max_length=64)
    status = models.CharField(max_length=16, default=ActionStatus.PENDING)
    reason = models.CharField(max_length=MAX_REASON_CHARS, blank=True, default="")
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    decided_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            one_of("action_type", [each.value for each in ActionType], "action_type_is_known"),
            one_of("status", [each.value for each in ActionStatus], "action_status_is_known"),
        ]
        indexes = [models.Index(fields=["project", "status"], name="actions_of_project")]

    def __str__(self) -> str:
        return f"{self.action_type} {self.title}"
