"""What stands in a backlog. Each row is explained by events in the log of the session in which it was born."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from api.rooms.agent_sessions.models import Session
from api.rooms.kernel.ids import new_id
from api.rooms.projects.models import Project, one_of
from contracts.limits import MAX_REASON_CHARS, MAX_TITLE_CHARS
from contracts.vocabulary import Promotion, StoryStatus, TaskStatus


class Backlog(models.Model):
    """One for each project: locked by whoever gives out a code, so that none is given twice."""

    project = models.OneToOneField(Project, primary_key=True, on_delete=models.PROTECT, related_name="+")
    promotion = models.CharField(max_length=16, default=Promotion.MANUAL)
    next_rule = models.IntegerField(default=1)
    next_epic = models.IntegerField(default=1)
    next_story = models.IntegerField(default=1)
    next_task = models.IntegerField(default=1)

    class Meta:
        constraints = [one_of("promotion", [each.value for each in Promotion], "promotion_is_known")]

    def __str__(self) -> str:
        return f"backlog of {self.project_id}"


class Numbered(models.Model):
    """Born in a session of its project, with a number that is its code."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="+")
    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="+")
    number = models.IntegerField()
    title = models.CharField(max_length=MAX_TITLE_CHARS)
    description = models.TextField(blank=True, default="")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        abstract = True


class Rule(Numbered):
    """A business rule as it is worded now. The rule is its events; this row gives it a code and finds it quickly."""

    title_folded = models.CharField(max_length=2 * MAX_TITLE_CHARS)
    event_id = models.UUIDField(help_text="The event of the present wording.")
    seq = models.IntegerField()
    version = models.IntegerField(default=1)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "number"], name="one_rule_by_number"),
            models.UniqueConstraint(fields=["project", "title_folded"], name="one_rule_by_title"),
        ]

    def __str__(self) -> str:
        return f"{self.code} {self.title}"

    @property
    def code(self) -> str:
        return f"R-{self.number}"


class RuleWording(models.Model):
    """Every event that words a rule, those of sessions that cite it included."""

    event_id = models.UUIDField(primary_key=True)
    rule = models.ForeignKey(Rule, on_delete=models.PROTECT, related_name="wordings")
    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="+")
    version = models.IntegerField()

    def __str__(self) -> str:
        return f"version {self.version} of {self.rule_id}"


class Epic(Numbered):
    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "number"], name="one_epic_by_number")]

    def __str__(self) -> str:
        return f"{self.code} {self.title}"

    @property
    def code(self) -> str:
        return f"E{self.number}"


class Story(Numbered):
    """`version` grows with each edit; `position` orders the stories of an epic."""

    epic = models.ForeignKey(Epic, on_delete=models.PROTECT, related_name="stories")
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


class Task(Numbered):
    """`position` orders the tasks of a story."""

    story = models.ForeignKey(Story, on_delete=models.PROTECT, related_name="tasks")
    status = models.CharField(max_length=16, default=TaskStatus.TODO)
    position = models.IntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "number"], name="one_task_by_number"),
            one_of("status", [each.value for each in TaskStatus], "task_status_is_known"),
        ]
        indexes = [models.Index(fields=["story", "position"], name="tasks_in_order")]

    def __str__(self) -> str:
        return f"{self.code} {self.title}"

    @property
    def code(self) -> str:
        return f"T-{self.number}"


class SavedFilter(models.Model):
    """A person's own way to look at a backlog."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=MAX_TITLE_CHARS)
    query = models.JSONField(default=dict)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "user", "name"], name="one_filter_by_name")]

    def __str__(self) -> str:
        return self.name
