"""The durable half of an agent: what a worker claims, steps and releases."""

from django.db import models
from django.db.models.functions import Now

from api.rooms.agent_sessions.models import Session
from api.rooms.kernel.ids import new_id

WANTED = ~models.Q(turn_id=None) | models.Q(wanted_seq__gt=models.F("cursor_seq"))


class Instance(models.Model):
    """Runnable: not held, lease free or expired, and a turn runs or the inbox reaches beyond the cursor.

    `epoch` grows at each claim and fences every write; `step` counts saved steps; `state` is the engine's JSON text.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="instances")
    agent = models.CharField(max_length=64)
    epoch = models.IntegerField(default=0)
    step = models.IntegerField(default=0)
    state = models.TextField(null=True, blank=True)  # noqa: DJ001 - null before the first step
    cursor_seq = models.IntegerField(default=0)
    wanted_seq = models.IntegerField(default=0)
    is_held = models.BooleanField(default=False)
    turn_id = models.UUIDField(null=True, blank=True)
    turn_number = models.IntegerField(default=0)
    lease_worker = models.UUIDField(null=True, blank=True)
    lease_claim = models.UUIDField(null=True, blank=True)
    lease_since = models.DateTimeField(null=True, blank=True)
    lease_expires_at = models.DateTimeField(null=True, blank=True)
    deaths = models.IntegerField(default=0)
    deaths_step = models.IntegerField(default=-1)
    swept_at = models.DateTimeField(null=True, blank=True, help_text="When it was last woken.")
    sweeps = models.SmallIntegerField(
        default=0, db_default=0, help_text="Wakes by the sweep since it was last claimed."
    )
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [models.UniqueConstraint(fields=["session", "agent"], name="one_instance_per_agent_and_session")]
        indexes = [
            models.Index(fields=["swept_at"], name="instances_to_sweep", condition=models.Q(is_held=False) & WANTED),
            models.Index(fields=["lease_worker"], name="instances_of_worker", condition=~models.Q(lease_worker=None)),
        ]

    def __str__(self) -> str:
        return f"{self.agent} in {self.session_id}"


class KeptAnswer(models.Model):
    """The first answer of a keyed call: whoever repeats it gets this one and changes nothing."""

    id = models.BigAutoField(primary_key=True)
    instance = models.ForeignKey(Instance, on_delete=models.CASCADE, related_name="answers")
    key = models.CharField(max_length=64)
    body_hash = models.CharField(max_length=64)
    body = models.TextField()
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [models.UniqueConstraint(fields=["instance", "key"], name="one_answer_per_key")]

    def __str__(self) -> str:
        return f"{self.key} of {self.instance_id}"
