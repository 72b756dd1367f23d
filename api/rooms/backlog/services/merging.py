"""Two rules become one, by a person and by nobody else (D-49)."""

from uuid import UUID

from django.db import transaction

from api.rooms.backlog.domain import codes
from api.rooms.backlog.models import Rule, StoryRule
from api.rooms.backlog.services import refusing
from api.rooms.backlog.services.by_people import locked_rule
from api.rooms.backlog.services.finding import rule_of
from contracts.events import RulesMerged
from contracts.events.backlog import Named

NOT_LOOKED_AT = 0
"""Before the first version: whoever cited the merged rule has to look at the kept one."""


@transaction.atomic
def merge_rules(project_id: UUID, user_id: UUID, merged_code: str, kept_code: str) -> None:
    """Everything that cited `merged` cites `kept` from now on. Nothing is erased: the merged rule can still be read."""
    writer, kept = locked_rule(project_id, user_id, kept_code)
    merged = rule_of(project_id, merged_code)
    if kept.id == merged.id:
        raise refusing.invalid("A rule cannot be merged into itself: name another one.", code=kept_code)
    told = RulesMerged(
        kept=Named(code=kept.code, title=kept.title),
        merged=Named(code=merged.code, title=merged.title),
        stories=_cite_instead(merged, kept),
    )
    Rule.objects.filter(merged_into=merged).update(merged_into=kept)
    Rule.objects.filter(id=merged.id).update(merged_into=kept)
    writer.tell(told)


def _cite_instead(merged: Rule, kept: Rule) -> tuple[str, ...]:
    """The codes of the stories that cited the merged rule."""
    links = StoryRule.objects.filter(rule=merged)
    numbers = links.order_by("story__number").values_list("story_id", "story__number")
    stories = dict(numbers)
    both = StoryRule.objects.filter(rule=kept, story_id__in=stories)
    already = set(both.values_list("story_id", flat=True))
    both.update(rule_version=NOT_LOOKED_AT)
    links.filter(story_id__in=already).delete()
    links.update(rule=kept, rule_version=NOT_LOOKED_AT)
    return tuple(f"{codes.STORY}{number}" for number in stories.values())
