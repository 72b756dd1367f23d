"""Nodes with counters, holds for calls in flight, and one metering row for every hold that was settled."""

from django.db import models
from django.db.models import Q

from api.rooms.budgets.domain.places import NodeKind
from api.rooms.kernel.ids import new_id


class Node(models.Model):
    """A workspace, project or session that money is spent in; `id` is that row's own. Counters carry no index,
    so that an update of a hot row stays within its page."""

    id = models.UUIDField(primary_key=True)
    kind = models.CharField(max_length=16)
    parent_id = models.UUIDField(null=True)
    limit_micros = models.BigIntegerField(null=True, blank=True, help_text="Empty is no limit; 0 is zero.")
    spent_micros = models.BigIntegerField(default=0)
    held_micros = models.BigIntegerField(default=0)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(kind__in=[kind.value for kind in NodeKind]), name="node_kind"),
            models.CheckConstraint(condition=Q(spent_micros__gte=0), name="node_spent_not_negative"),
            models.CheckConstraint(condition=Q(held_micros__gte=0), name="node_held_not_negative"),
            models.CheckConstraint(condition=Q(limit_micros__gte=0), name="node_limit_not_negative"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.id}"


class Hold(models.Model):
    """The worst case of one call, kept back until the call is settled."""

    OPEN, SETTLED, BOOKED, RELEASED = "open", "settled", "booked", "released"

    id = models.UUIDField(primary_key=True, default=new_id)
    instance_id = models.UUIDField()
    step = models.IntegerField()
    call = models.IntegerField()
    attempt = models.IntegerField()
    workspace_id = models.UUIDField()
    project_id = models.UUIDField()
    session_id = models.UUIDField()
    amount_micros = models.BigIntegerField()
    is_unpriced = models.BooleanField(default=False)
    status = models.CharField(max_length=16, default=OPEN)
    booked_micros = models.BigIntegerField(default=0)
    expires_at = models.DateTimeField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["instance_id", "step", "call", "attempt"], name="one_hold_per_attempt"),
            models.CheckConstraint(
                condition=Q(status__in=["open", "settled", "booked", "released"]), name="hold_status"
            ),
        ]
        indexes = [models.Index(fields=["expires_at"], name="open_holds_by_expiry", condition=Q(status="open"))]

    def __str__(self) -> str:
        return f"{self.status} hold of {self.amount_micros}"


class TokenUsage(models.Model):
    """One row for each hold: disjoint buckets of tokens, the price of that moment, and what it came to."""

    id = models.UUIDField(primary_key=True, default=new_id)
    hold_id = models.UUIDField(unique=True)
    workspace_id = models.UUIDField()
    project_id = models.UUIDField()
    session_id = models.UUIDField()
    instance_id = models.UUIDField()
    turn_id = models.UUIDField()
    agent = models.CharField(max_length=64)
    provider = models.CharField(max_length=64)
    model = models.CharField(max_length=200)
    upstream = models.CharField(max_length=200, blank=True, default="")
    binding_origin = models.CharField(max_length=16, blank=True, default="")
    uncached_input = models.BigIntegerField(default=0)
    cache_read = models.BigIntegerField(default=0)
    cache_write = models.BigIntegerField(default=0)
    output = models.BigIntegerField(default=0)
    reasoning = models.BigIntegerField(default=0)
    is_estimated = models.BooleanField(default=False)
    cost_micros = models.BigIntegerField(null=True, help_text="Empty when the price was unknown.")
    input_rate = models.BigIntegerField(null=True)
    cache_read_rate = models.BigIntegerField(null=True)
    cache_write_rate = models.BigIntegerField(null=True)
    output_rate = models.BigIntegerField(null=True)
    is_overshot = models.BooleanField(default=False, help_text="It cost more than was held for it.")
    is_rehearsal = models.BooleanField(default=False)
    outcome = models.CharField(max_length=16)
    error_code = models.CharField(max_length=64, blank=True, default="")
    latency_ms = models.IntegerField(null=True)
    first_token_ms = models.IntegerField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "token usage"
        indexes = [
            models.Index(fields=["workspace_id", "created_at"], name="usage_of_workspace"),
            models.Index(fields=["project_id", "created_at"], name="usage_of_project"),
            models.Index(fields=["session_id"], name="usage_of_session"),
            models.Index(fields=["turn_id"], name="usage_of_turn"),
        ]

    def __str__(self) -> str:
        return f"{self.agent} {self.provider}/{self.model}"
