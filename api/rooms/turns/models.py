"""Turns as rows, and the messages that clients have sent, by their own ids."""

from django.db import models
from django.db.models.functions import Now

from api.rooms.agent_sessions.models import Session
from api.rooms.agents.models import Instance
from api.rooms.projects.models import one_of
from contracts.vocabulary import TurnStatus


class Turn(models.Model):
    """Ends by one compare-and-set from `running`."""

    id = models.UUIDField(primary_key=True)
    instance = models.ForeignKey(Instance, on_delete=models.PROTECT, related_name="turns")
    session_id = models.UUIDField()
    agent = models.CharField(max_length=64)
    number = models.IntegerField()
    status = models.CharField(max_length=16, default=TurnStatus.RUNNING)
    reason = models.CharField(max_length=32, null=True, blank=True)  # noqa: DJ001 - null while running or completed
    is_readiness = models.BooleanField(default=False)
    started_at = models.DateTimeField(db_default=Now())
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["instance", "number"], name="turns_are_numbered"),
            models.UniqueConstraint(
                fields=["instance"], condition=models.Q(status="running"), name="one_running_turn_per_instance"
            ),
            one_of("status", [status.value for status in TurnStatus], "turn_status_is_known"),
        ]
        indexes = [models.Index(fields=["session_id", "-started_at"], name="turns_of_session")]

    def __str__(self) -> str:
        return f"turn {self.number} of {self.agent} ({self.status})"


class SentMessage(models.Model):
    """A client's own message id makes sending repeatable; the same id with another text is refused."""

    id = models.BigAutoField(primary_key=True)
    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="+")
    client_message_id = models.CharField(max_length=64)
    text_hash = models.CharField(max_length=64)
    event_id = models.UUIDField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["session", "client_message_id"], name="a_client_message_id_is_used_once")
        ]

    def __str__(self) -> str:
        return self.client_message_id
