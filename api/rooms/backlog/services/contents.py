"""A story's row as a value, and back."""

from uuid import UUID

from api.rooms.architecture.selectors import module_names
from api.rooms.backlog.domain import codes, readiness
from api.rooms.backlog.models import Rule, Story, StoryRule
from api.rooms.backlog.services import refusing
from contracts.backlog import STORY_LISTS, StoryContent
from contracts.routes.backlog import StoryState
from contracts.vocabulary import StoryStatus


def content_of(story: Story) -> StoryContent:
    """With the rules that it cites, by code, in the order of their numbers."""
    cited = StoryRule.objects.filter(story_id=story.id).order_by("rule__number").values_list("rule__number", flat=True)
    lists = {name: tuple(getattr(story, name)) for name in STORY_LISTS}
    rules = tuple(f"{codes.RULE}{number}" for number in cited)
    return StoryContent(title=story.title, description=story.description, rules=rules, **lists)


def fields_of(content: StoryContent) -> dict[str, object]:
    """The columns of a row that hold it."""
    lists = {name: list(getattr(content, name)) for name in STORY_LISTS}
    return {"title": content.title, "description": content.description, **lists}


def state_of(story: Story, content: StoryContent) -> StoryState:
    return StoryState(
        code=story.code,
        title=story.title,
        version=story.version,
        status=StoryStatus(story.status),
        is_proposed=story.is_proposed,
        missing=lacks_of(story, content),
    )


def lacks_of(story: Story, content: StoryContent) -> tuple[str, ...]:
    """What keeps it from being ready, the modules that the current map does not have included (RN-010)."""
    return readiness.missing(content, gone_modules(story))


def gone_modules(story: Story) -> tuple[str, ...]:
    """Those that it is built in and that the current map does not have."""
    names = tuple(story.modules.order_by("name").values_list("name", flat=True))
    known = module_names(story.project_id) if names else frozenset()
    return tuple(name for name in names if name not in known)


def rules_of(project_id: UUID, wanted: tuple[str, ...]) -> list[Rule]:
    """The rules of this very project with these codes (D-48). Raises Refusal naming those that are not there."""
    numbers = {code: codes.number_of(code, codes.RULE) for code in wanted}
    asked = [number for number in numbers.values() if number]
    there = Rule.objects.filter(project_id=project_id, merged_into=None)
    rows = {row.number: row for row in there.filter(number__in=asked)}
    strange = [code for code, number in numbers.items() if number not in rows]
    if strange:
        known = there.order_by("number").values_list("number", flat=True)
        raise refusing.unknown("business rule", strange, (f"{codes.RULE}{number}" for number in known))
    return [rows[number] for number in sorted(set(asked))]


def cite(story: Story, rules: list[Rule]) -> None:
    """Exactly these, each at its present wording; a rule that was cited before keeps the wording it was cited at."""
    StoryRule.objects.filter(story_id=story.id).exclude(rule__in=rules).delete()
    rows = [StoryRule(story_id=story.id, rule_id=rule.id, rule_version=rule.version) for rule in rules]
    StoryRule.objects.bulk_create(rows, ignore_conflicts=True)
