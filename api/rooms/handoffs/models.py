"""A handoff's status is the one mutable thing about it; each transition is also an event."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from api.rooms.agent_sessions.models import Session
from api.rooms.kernel.ids import new_id
from api.rooms.projects.models import one_of
from contracts.vocabulary import HandoffStatus


class Handoff(models.Model):
    """`activation_owed_at` is set when it was accepted for an agent that had not arrived yet."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="handoffs")
    from_agent = models.CharField(max_length=64)
    to_agent = models.CharField(max_length=64)
    artifact_event_id = models.UUIDField(null=True, blank=True)
    epic = models.CharField(max_length=12, blank=True, default="", help_text="What the conversation is about.")
    status = models.CharField(max_length=16, default=HandoffStatus.OFFERED)
    reason = models.TextField(blank=True, default="")
    is_superseded = models.BooleanField(default=False)
    offered_at = models.DateTimeField(db_default=Now())
    decided_at = models.DateTimeField(null=True, blank=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    activation_owed_at = models.DateTimeField(null=True, blank=True)
    completed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [one_of("status", [status.value for status in HandoffStatus], "handoff_status_is_known")]
        indexes = [
            models.Index(fields=["session", "offered_at"], name="handoffs_of_session"),
            models.Index(
                fields=["activation_owed_at"], name="owed_activations", condition=Q(activation_owed_at__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.from_agent} → {self.to_agent} ({self.status})"
