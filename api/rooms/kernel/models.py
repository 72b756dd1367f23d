"""What operators did, and what is done by the calendar."""

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from api.rooms.kernel.ids import new_id


class OperatorAct(models.Model):
    """One thing that an operator did to one row, and why. Append-only for the services' role, as the log is.

    No foreign keys: the record outlives the person and the row.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    at = models.DateTimeField(db_default=Now())
    actor_id = models.UUIDField()
    actor = models.CharField(max_length=254)
    act = models.CharField(max_length=64)
    subject_kind = models.CharField(max_length=64)
    subject_id = models.CharField(max_length=64)
    subject = models.CharField(max_length=200)
    reason = models.TextField()

    class Meta:
        verbose_name = _("operator's act")
        verbose_name_plural = _("operators' acts")
        indexes = [
            models.Index(fields=["at"], name="acts_by_time"),
            models.Index(fields=["subject_id"], name="acts_on"),
        ]

    def __str__(self) -> str:
        return f"{self.act} {self.subject_kind} {self.subject_id}"


class Chore(models.Model):
    """Work by the calendar: whoever moves `due_at` on does it, so that two relays never do it twice."""

    name = models.CharField(max_length=64, primary_key=True)
    due_at = models.DateTimeField(db_default=Now())
    started_at = models.DateTimeField(null=True, blank=True)
    report = models.TextField(blank=True, default="")

    class Meta:
        verbose_name = _("chore")
        verbose_name_plural = _("chores")

    def __str__(self) -> str:
        return self.name
