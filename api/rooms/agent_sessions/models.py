"""A session holds the head of its log; the log holds everything else."""

from django.conf import settings
from django.db import models
from django.db.models.functions import Cast, Now

from api.rooms.kernel.ids import new_id
from api.rooms.projects.models import Project, one_of
from contracts.vocabulary import SessionKind, SessionStatus, TerminationReason


class Session(models.Model):
    """`next_seq` and `head_hash` are the log's head; locking this row serialises all appends (RN-002)."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="sessions")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    kind = models.CharField(max_length=16)
    status = models.CharField(max_length=24, default=SessionStatus.CREATED)
    name = models.CharField(max_length=80, null=True, blank=True)  # noqa: DJ001 - null means unnamed (RN-098)
    next_seq = models.IntegerField(default=1)
    head_hash = models.BinaryField(max_length=32)
    created_at = models.DateTimeField(db_default=Now())
    last_event_at = models.DateTimeField(db_default=Now())
    closed_at = models.DateTimeField(null=True, blank=True)
    termination_reason = models.CharField(max_length=24, null=True, blank=True)  # noqa: DJ001 - null while open
    deleted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [models.Index(fields=["project", "-last_event_at"], name="sessions_of_project")]
        constraints = [
            one_of("kind", [kind.value for kind in SessionKind], "session_kind_is_known"),
            one_of("status", [status.value for status in SessionStatus], "session_status_is_known"),
            models.CheckConstraint(
                condition=models.Q(termination_reason=None)
                | models.Q(termination_reason__in=[reason.value for reason in TerminationReason]),
                name="termination_reason_is_known",
            ),
        ]

    def __str__(self) -> str:
        return self.name or f"#{str(self.id)[-8:]}"  # what an id begins with is the time, the same for a minute


class Tombstone(models.Model):
    """What is left of a log that the owner of the tables erased: how far it went, its head, and why."""

    session = models.OneToOneField(Session, on_delete=models.PROTECT, primary_key=True, related_name="tombstone")
    last_seq = models.IntegerField()
    head_hash = models.BinaryField(max_length=32)
    reason = models.TextField()
    erased_at = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return f"{self.last_seq} events of {self.session_id} were erased"


class SessionEvent(models.Model):
    """Append-only for the services' role (law 1). `data` is derived from `canonical`, which is the truth."""

    id = models.UUIDField(primary_key=True)
    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="events", db_index=False)
    seq = models.IntegerField()
    type = models.CharField(max_length=64)
    actor_kind = models.CharField(max_length=8)
    actor_id = models.CharField(max_length=64)
    to_agent = models.CharField(max_length=64, null=True, blank=True)  # noqa: DJ001 - null means nobody's inbox
    created_at = models.DateTimeField()
    canonical = models.TextField()
    hash = models.BinaryField(max_length=32)
    data = models.GeneratedField(
        expression=Cast("canonical", models.JSONField()), output_field=models.JSONField(), db_persist=True
    )

    class Meta:
        db_table = "session_events"
        constraints = [models.UniqueConstraint(fields=["session", "seq"], name="seq_is_dense_per_session")]
        indexes = [models.Index(fields=["session", "type", "seq"], name="events_by_type")]

    def __str__(self) -> str:
        return f"{self.session_id} {self.seq} {self.type}"
