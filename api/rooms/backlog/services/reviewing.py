"""A person looked at a story after its rules were reworded: it says what they say now."""

from collections.abc import Mapping
from uuid import UUID

from django.db import transaction
from django.db.models import F

from api.rooms.backlog.models import StoryRule
from api.rooms.backlog.services import refusing
from api.rooms.backlog.services.by_people import locked
from contracts.events import StoryReviewed


@transaction.atomic
def review_story(project_id: UUID, user_id: UUID, code: str, seen: Mapping[str, int]) -> None:
    """`seen` names each rule and the version that was read: a look at old words proves nothing of newer ones.

    Raises Refusal: `stale_version` when one was reworded again, `invalid_backlog` when there is nothing to look at.
    """
    writer, story = locked(project_id, user_id, code)
    stale = StoryRule.objects.select_related("rule").filter(story=story, rule_version__lt=F("rule__version"))
    links = {link.rule.code: link for link in stale.order_by("rule__number") if link.rule.code in seen}
    if not links:
        raise refusing.invalid(f"None of these rules of {code} has to be looked at.", story=code)
    for rule_code, link in links.items():
        refusing.refuse_stale(rule_code, link.rule.version, seen[rule_code])
        link.rule_version = link.rule.version
    StoryRule.objects.bulk_update(links.values(), ["rule_version"])
    writer.tell(StoryReviewed(story_id=story.id, code=story.code, title=story.title, rules=tuple(links)))
