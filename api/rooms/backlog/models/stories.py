"""Epics, their stories and what the log tells of them, and the tasks of a story."""

from django.db import models
from django.db.models import Q

from api.rooms.agent_sessions.models import Session
from api.rooms.backlog.models.backlog import Numbered
from api.rooms.backlog.models.iterations import Iteration
from api.rooms.backlog.models.rules import Rule
from api.rooms.projects.models import one_of
from contracts.detailing import Domain
from contracts.limits import MAX_REASON_CHARS, MAX_TITLE_CHARS
from contracts.vocabulary import StoryStatus, TaskStatus


class Epic(Numbered):
    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "number"], name="one_epic_by_number")]

    def __str__(self) -> str:
        return f"{self.code} {self.title}"

    @property
    def code(self) -> str:
        return f"E{self.number}"


class Feature(Numbered):
    """A part of an epic that stories build together; `number` counts within its epic."""

    epic = models.ForeignKey(Epic, on_delete=models.PROTECT, related_name="features")
    acceptance_criteria = models.JSONField(default=list)
    test_scenarios = models.JSONField(default=list)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["epic", "number"], name="one_feature_by_number")]

    def __str__(self) -> str:
        return f"{self.code} {self.title}"

    @property
    def code(self) -> str:
        return f"{self.epic.code}.F{self.number}"


class Story(Numbered):
    """`version` grows with each edit, `tasks_version` with each change of its tasks.

    `position` orders the stories of an epic, `place` those of an iteration. `locked_fields` were written by hand.
    """

    epic = models.ForeignKey(Epic, on_delete=models.PROTECT, related_name="stories")
    feature = models.ForeignKey(Feature, null=True, blank=True, on_delete=models.PROTECT, related_name="stories")
    iteration = models.ForeignKey(Iteration, null=True, blank=True, on_delete=models.PROTECT, related_name="stories")
    place = models.IntegerField(default=0)
    tasks_version = models.IntegerField(default=1)
    locked_fields = models.JSONField(default=list)
    title_folded = models.CharField(max_length=2 * MAX_TITLE_CHARS)
    functional_requirements = models.JSONField(default=list)
    nonfunctional_requirements = models.JSONField(default=list)
    acceptance_criteria = models.JSONField(default=list)
    test_scenarios = models.JSONField(default=list)
    definition_of_ready = models.JSONField(default=list)
    definition_of_done = models.JSONField(default=list)
    status = models.CharField(max_length=16, default=StoryStatus.DRAFT)
    is_proposed = models.BooleanField(default=False)
    returned_reason = models.CharField(max_length=MAX_REASON_CHARS, blank=True, default="")
    returned_at = models.DateTimeField(null=True, blank=True)
    version = models.IntegerField(default=1)
    position = models.IntegerField(default=0)

    class Meta:
        verbose_name_plural = "stories"
        constraints = [
            models.UniqueConstraint(fields=["project", "number"], name="one_story_by_number"),
            models.UniqueConstraint(fields=["project", "title_folded"], name="one_story_by_title"),
            one_of("status", [each.value for each in StoryStatus], "story_status_is_known"),
            models.CheckConstraint(
                condition=Q(is_proposed=False) | Q(status=StoryStatus.DRAFT), name="only_drafts_are_proposed"
            ),
        ]
        indexes = [
            models.Index(fields=["project", "epic", "position"], name="stories_in_order"),
            models.Index(fields=["project"], name="proposed_stories", condition=Q(is_proposed=True)),
        ]

    def __str__(self) -> str:
        return f"{self.code} {self.title}"

    @property
    def code(self) -> str:
        return f"S-{self.number}"


class StoryEvent(models.Model):
    """Where the log tells of a story: its history is read there, whichever session it was told in."""

    event_id = models.UUIDField(primary_key=True)
    story = models.ForeignKey(Story, on_delete=models.PROTECT, related_name="told")
    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="+")

    def __str__(self) -> str:
        return f"event {self.event_id} of {self.story_id}"


class StoryRule(models.Model):
    """A story cites a rule of its project, at the wording that it had then."""

    story = models.ForeignKey(Story, on_delete=models.CASCADE, related_name="cited")
    rule = models.ForeignKey(Rule, on_delete=models.PROTECT, related_name="citing")
    rule_version = models.IntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["story", "rule"], name="cited_once")]

    def __str__(self) -> str:
        return f"{self.story_id} cites {self.rule_id}"


class StoryModule(models.Model):
    """Where a story is built: a module by its canonical name, whichever map it stands in (RN-066)."""

    story = models.ForeignKey(Story, on_delete=models.CASCADE, related_name="modules")
    name = models.CharField(max_length=40)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["story", "name"], name="assigned_once")]

    def __str__(self) -> str:
        return f"{self.story_id} in {self.name}"


class Task(Numbered):
    """`position` orders the tasks of a story. A removed one keeps its code and can still be traced."""

    story = models.ForeignKey(Story, on_delete=models.PROTECT, related_name="tasks")
    status = models.CharField(max_length=16, default=TaskStatus.TODO)
    position = models.IntegerField(default=0)
    domain = models.CharField(max_length=16, blank=True, default="")
    is_locked = models.BooleanField(default=False, help_text="Written by hand: it stays when the story is detailed.")
    version = models.IntegerField(default=1)
    blocked_reason = models.CharField(max_length=MAX_REASON_CHARS, blank=True, default="")
    blocked_diagnosis = models.CharField(max_length=MAX_REASON_CHARS, blank=True, default="")
    blocked_origin = models.CharField(max_length=8, blank=True, default="")
    removed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "number"], name="one_task_by_number"),
            one_of("status", [each.value for each in TaskStatus], "task_status_is_known"),
            one_of("domain", ["", *(each.value for each in Domain)], "task_domain_is_known"),
            models.CheckConstraint(
                condition=Q(blocked_reason="") | Q(status=TaskStatus.TODO), name="only_open_tasks_are_blocked"
            ),
        ]
        indexes = [models.Index(fields=["story", "position"], name="tasks_in_order")]

    def __str__(self) -> str:
        return f"{self.code} {self.title}"

    @property
    def code(self) -> str:
        return f"T-{self.number}"
