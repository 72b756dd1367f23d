"""Find a story or a rule by the code that somebody said."""

from uuid import UUID

from api.rooms.backlog.domain import codes
from api.rooms.backlog.models import Rule, Story
from api.rooms.backlog.services import refusing


def story_of(project_id: UUID, code: str) -> Story:
    """Under the backlog's lock nobody else changes it. Raises Refusal that names the stories there are."""
    stories = Story.objects.filter(project_id=project_id)
    found = stories.filter(number=codes.number_of(code, codes.STORY)).first()
    if found is None:
        known = stories.order_by("number").values_list("number", "title")
        raise refusing.unknown("story", [code], (f"{codes.STORY}{number} ({title})" for number, title in known))
    return found


def rule_of(project_id: UUID, code: str) -> Rule:
    """The same for a rule. One that was merged into another is written no more: the refusal names the other."""
    rules = Rule.objects.filter(project_id=project_id)
    found = rules.select_related("merged_into").filter(number=codes.number_of(code, codes.RULE)).first()
    if found is None:
        known = rules.filter(merged_into=None).order_by("number").values_list("number", "title")
        raise refusing.unknown("business rule", [code], (f"{codes.RULE}{number} ({title})" for number, title in known))
    if found.merged_into is not None:
        other = found.merged_into.code
        raise refusing.invalid(f"{code} was merged into {other}: name {other} instead.", code=code, merged_into=other)
    return found
