"""The transactional outbox: written with the event that explains it, drained by the relay."""

from django.db import models
from django.db.models.functions import Now

from api.rooms.kernel.ids import new_id


class Wake(models.Model):
    """One row per instance, raised by each new reason to look; never a dead letter (law: a wake is a hint)."""

    instance_id = models.UUIDField(primary_key=True)
    agent = models.CharField(max_length=64)
    seq = models.IntegerField(default=0)
    request_id = models.CharField(
        max_length=64, blank=True, default="", db_default="", help_text="The request that gave the newest reason."
    )
    due_at = models.DateTimeField(db_default=Now())
    claimed_until = models.DateTimeField(null=True, blank=True)
    attempts = models.IntegerField(default=0)

    class Meta:
        indexes = [models.Index(fields=["due_at"], name="wake_due")]

    def __str__(self) -> str:
        return f"wake {self.agent} {self.instance_id}"


class OutboxMessage(models.Model):
    """A typed message with exactly one consumer (see `api.wiring`); after too many failures it is a dead letter."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    type = models.CharField(max_length=64)
    payload = models.JSONField()
    created_at = models.DateTimeField(db_default=Now())
    due_at = models.DateTimeField(db_default=Now())
    claimed_until = models.DateTimeField(null=True, blank=True)
    attempts = models.IntegerField(default=0)
    retries = models.IntegerField(default=0, db_default=0, help_text="How often a person gave it a new count.")
    last_error = models.TextField(blank=True, default="")
    last_origin = models.CharField(max_length=16, blank=True, default="", db_default="")
    delivered_at = models.DateTimeField(null=True, blank=True)
    dead_at = models.DateTimeField(null=True, blank=True)
    discarded_at = models.DateTimeField(null=True, blank=True)
    discard_reason = models.TextField(blank=True, default="", db_default="")

    class Meta:
        indexes = [
            models.Index(fields=["delivered_at"], name="outbox_delivered", condition=~models.Q(delivered_at=None)),
            models.Index(
                fields=["due_at"],
                name="outbox_message_due",
                condition=models.Q(delivered_at=None, dead_at=None),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.type} {self.id}"
