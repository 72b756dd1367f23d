"""What people keep for themselves."""

from django.conf import settings
from django.db import models

from api.rooms.kernel.ids import new_id
from api.rooms.projects.models import Project
from contracts.limits import MAX_TITLE_CHARS


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
