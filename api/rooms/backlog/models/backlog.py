"""The row that gives out codes, and what all that has a code has in common."""

from django.db import models

from api.rooms.agent_sessions.models import Session
from api.rooms.kernel.ids import new_id
from api.rooms.projects.models import Project, one_of
from contracts.detailing import ProjectKind
from contracts.limits import MAX_TITLE_CHARS
from contracts.vocabulary import Promotion


class Backlog(models.Model):
    """One for each project: locked by whoever gives out a code, so that none is given twice."""

    project = models.OneToOneField(Project, primary_key=True, on_delete=models.PROTECT, related_name="+")
    promotion = models.CharField(max_length=16, default=Promotion.MANUAL)
    next_rule = models.IntegerField(default=1)
    next_epic = models.IntegerField(default=1)
    next_story = models.IntegerField(default=1)
    next_task = models.IntegerField(default=1)
    next_iteration = models.IntegerField(default=1)
    kind = models.CharField(max_length=16, default=ProjectKind.NEW)

    class Meta:
        constraints = [
            one_of("promotion", [each.value for each in Promotion], "promotion_is_known"),
            one_of("kind", [each.value for each in ProjectKind], "project_kind_is_known"),
        ]

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
