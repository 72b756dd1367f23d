"""Which stories a person asked to be detailed together, and how stories that somebody named were found."""

from django.db import models

from api.rooms.agent_sessions.models import Session
from api.rooms.backlog.models.iterations import Iteration
from api.rooms.backlog.models.stories import Story
from api.rooms.kernel.ids import new_id
from api.rooms.projects.models import Project, one_of
from contracts.limits import MAX_TITLE_CHARS
from contracts.routes.detailing import Resolution


class StoryDetailing(models.Model):
    """One story of a batch; the batch is a session of its own. `event_id` is of the tasks that came of it."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="+")
    iteration = models.ForeignKey(Iteration, on_delete=models.PROTECT, related_name="detailings")
    story = models.ForeignKey(Story, on_delete=models.PROTECT, related_name="detailings")
    place = models.IntegerField()
    event_id = models.UUIDField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["session", "story"], name="detailed_once_in_a_batch")]

    def __str__(self) -> str:
        return f"{self.story_id} in {self.session_id}"


class StoryResolution(models.Model):
    """Its rate says whether agents find what people mean."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    project = models.ForeignKey(Project, on_delete=models.PROTECT, related_name="+")
    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="+")
    said = models.CharField(max_length=MAX_TITLE_CHARS)
    how = models.CharField(max_length=16)
    story = models.ForeignKey(Story, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [one_of("how", [each.value for each in Resolution], "resolution_is_known")]
        indexes = [models.Index(fields=["project", "how"], name="resolutions_of_project")]

    def __str__(self) -> str:
        return f"{self.how}: {self.said}"
