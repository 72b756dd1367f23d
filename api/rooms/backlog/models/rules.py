"""Business rules, and every event that words one."""

from django.db import models

from api.rooms.agent_sessions.models import Session
from api.rooms.backlog.models.backlog import Numbered
from contracts.limits import MAX_TITLE_CHARS


class Rule(Numbered):
    """A business rule as it is worded now. The rule is its events; this row gives it a code and finds it quickly.

    `session` is the one in which the present wording stands; a rule that was merged into another keeps its last words.
    """

    title_folded = models.CharField(max_length=2 * MAX_TITLE_CHARS)
    event_id = models.UUIDField(help_text="The event of the present wording.")
    seq = models.IntegerField()
    version = models.IntegerField(default=1)
    merged_into = models.ForeignKey("self", null=True, blank=True, on_delete=models.PROTECT, related_name="merged")

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
