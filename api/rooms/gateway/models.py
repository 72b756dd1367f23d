"""Which models there are and who uses them, sealed credentials, and one row for every try of a model call."""

from enum import StrEnum

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from api.rooms.gateway.domain.attempts import CallStatus
from api.rooms.gateway.domain.bindings import Level
from api.rooms.gateway.domain.uses import ModelUse
from api.rooms.kernel.ids import new_id


class Credential(models.Model):
    """A key for one provider at one address. Write-only: nothing reads it back but a call."""

    id = models.UUIDField(primary_key=True, default=new_id)
    workspace_id = models.UUIDField(db_index=True)
    provider = models.CharField(max_length=64)
    base_url = models.CharField(max_length=500, blank=True)
    sealed = models.TextField()
    has_secret = models.BooleanField()
    created_at = models.DateTimeField(auto_now_add=True)
    replaced_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["workspace_id", "provider", "base_url"], name="one_credential_per_address")
        ]

    def __str__(self) -> str:
        return f"{self.provider} {self.base_url}".strip()


class PriceSource(StrEnum):
    """Where a price on the row came from; an empty one is asked of the price table."""

    MANUAL = "manual"
    SYNC = "sync"


class Model(models.Model):
    """A model at one provider's address, as this workspace knows it. Empty prices: the price table is asked.

    `is_retired`: its provider lists it no longer. `is_active`: this workspace lets agents use it; what a sync found
    waits for a person. `fallback` is used once, in a call whose model does not exist any more.
    """

    id = models.UUIDField(primary_key=True, default=new_id)
    workspace_id = models.UUIDField()
    provider = models.CharField(max_length=64)
    base_url = models.CharField(max_length=500, blank=True)
    name = models.CharField(max_length=200)
    display_name = models.CharField(max_length=200, blank=True, default="")
    context_tokens = models.IntegerField()
    max_output_tokens = models.IntegerField(null=True, blank=True)
    has_tools = models.BooleanField(default=True)
    has_vision = models.BooleanField(null=True, blank=True)
    has_reasoning = models.BooleanField(null=True, blank=True)
    uses = ArrayField(models.CharField(max_length=16), default=list, db_default=[], blank=True)
    is_retired = models.BooleanField(default=False)
    is_active = models.BooleanField(default=True)
    fallback = models.ForeignKey("self", models.SET_NULL, null=True, blank=True)
    input_rate = models.BigIntegerField(null=True, blank=True, help_text="Micros per million tokens.")
    cache_read_rate = models.BigIntegerField(null=True, blank=True)
    cache_write_rate = models.BigIntegerField(null=True, blank=True)
    output_rate = models.BigIntegerField(null=True, blank=True)
    price_source = models.CharField(max_length=16, blank=True, default="")
    last_seen_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["workspace_id", "provider", "base_url", "name"], name="one_model_per_address"
            ),
            models.CheckConstraint(
                condition=Q(price_source__in=["", *(source.value for source in PriceSource)]), name="price_source"
            ),
            models.CheckConstraint(condition=Q(uses__contained_by=[use.value for use in ModelUse]), name="uses"),
        ]

    def __str__(self) -> str:
        return f"{self.provider}/{self.name}"


class PriceChange(models.Model):
    """The history of prices; calls carry the price of their own moment. Empty columns: the price table was asked."""

    id = models.UUIDField(primary_key=True, default=new_id)
    model_id = models.UUIDField(db_index=True)
    source = models.CharField(max_length=16, default=PriceSource.MANUAL)
    changed_by = models.UUIDField(null=True, blank=True)
    input_rate_before = models.BigIntegerField(null=True, blank=True)
    cache_read_rate_before = models.BigIntegerField(null=True, blank=True)
    cache_write_rate_before = models.BigIntegerField(null=True, blank=True)
    output_rate_before = models.BigIntegerField(null=True, blank=True)
    input_rate = models.BigIntegerField(null=True, blank=True)
    cache_read_rate = models.BigIntegerField(null=True, blank=True)
    cache_write_rate = models.BigIntegerField(null=True, blank=True)
    output_rate = models.BigIntegerField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.model_id} since {self.created_at:%Y-%m-%d}"


class CatalogueSync(models.Model):
    """How the last reading of a provider's list went; a failure leaves the catalogue as it was."""

    id = models.UUIDField(primary_key=True, default=new_id)
    workspace_id = models.UUIDField()
    provider = models.CharField(max_length=64)
    base_url = models.CharField(max_length=500, blank=True)
    tried_at = models.DateTimeField()
    succeeded_at = models.DateTimeField(null=True, blank=True)
    listed = models.IntegerField(default=0)
    error_code = models.CharField(max_length=64, blank=True, default="")
    diagnosis = models.TextField(blank=True, default="")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["workspace_id", "provider", "base_url"], name="one_sync_per_address")
        ]

    def __str__(self) -> str:
        return f"{self.provider} {self.base_url}".strip()


class Binding(models.Model):
    """The model that a session, agent, area, project or workspace uses."""

    id = models.UUIDField(primary_key=True, default=new_id)
    workspace_id = models.UUIDField(db_index=True)
    level = models.CharField(max_length=16)
    subject_id = models.UUIDField()
    name = models.CharField(max_length=64, blank=True, default="")
    model = models.ForeignKey(Model, models.CASCADE)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["subject_id", "level", "name"], name="one_binding_per_subject"),
            models.CheckConstraint(condition=Q(level__in=[level.value for level in Level]), name="binding_level"),
        ]

    def __str__(self) -> str:
        return f"{self.level} {self.name}".strip()


class Call(models.Model):
    """One try of a model call, keyed by (instance, step, call, attempt); its id is also its hold's.

    `closed_at` is the mark by which others end it; `text` is what has arrived so far, saved each second for whoever
    joins; `kept_frame` is the final frame until a later step of the instance is saved. `retry_at` is when a try that
    follows a failed one asks its provider, and `retry_code` how that one failed.
    """

    id = models.UUIDField(primary_key=True)
    instance_id = models.UUIDField()
    step = models.IntegerField()
    call = models.IntegerField()
    attempt = models.IntegerField()
    epoch = models.IntegerField()
    session_id = models.UUIDField()
    project_id = models.UUIDField()
    workspace_id = models.UUIDField()
    turn_id = models.UUIDField()
    agent = models.CharField(max_length=64)
    iteration = models.IntegerField(default=0)
    is_for_people = models.BooleanField()
    is_repeated = models.BooleanField(default=False)
    provider = models.CharField(max_length=64)
    model = models.CharField(max_length=200)
    binding_origin = models.CharField(max_length=16)
    price = models.TextField(null=True)  # noqa: DJ001 - frozen when the call began; null when it was unknown
    body_bytes = models.IntegerField()
    max_output_tokens = models.IntegerField()
    status = models.CharField(max_length=16, default=CallStatus.OPEN)
    text = models.TextField(blank=True, default="")
    wire_ids = models.JSONField(default=list, blank=True)
    closed_at = models.DateTimeField(null=True)
    closed_reason = models.CharField(max_length=16, blank=True, default="")
    kept_frame = models.TextField(null=True)  # noqa: DJ001 - null when there is none
    retry_at = models.DateTimeField(null=True)
    retry_code = models.CharField(max_length=64, blank=True, default="", db_default="")
    opened_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["instance_id", "step", "call", "attempt"], name="one_row_per_attempt"),
            models.CheckConstraint(condition=Q(status__in=[status.value for status in CallStatus]), name="call_status"),
        ]
        indexes = [
            models.Index(fields=["turn_id"], name="calls_of_turn"),
            models.Index(fields=["session_id"], name="open_calls_of_session", condition=Q(status="open")),
            models.Index(fields=["instance_id"], name="kept_frames", condition=Q(kept_frame__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"{self.status} call {self.step}.{self.call}.{self.attempt} of {self.agent}"


class RehearsalScript(models.Model):
    """What the rehearsal answers in one session."""

    session_id = models.UUIDField(primary_key=True)
    script = models.TextField()

    def __str__(self) -> str:
        return f"script of {self.session_id}"


class RehearsalCue(models.Model):
    """Which entry a call plays: a repeated call plays the same one."""

    id = models.UUIDField(primary_key=True, default=new_id)
    session_id = models.UUIDField()
    instance_id = models.UUIDField()
    step = models.IntegerField()
    call = models.IntegerField()
    entry = models.IntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["session_id", "entry"], name="one_call_per_entry"),
            models.UniqueConstraint(fields=["instance_id", "step", "call"], name="one_entry_per_call"),
        ]

    def __str__(self) -> str:
        return f"entry {self.entry} for {self.step}.{self.call}"
