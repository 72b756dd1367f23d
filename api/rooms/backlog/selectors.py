"""Reading a backlog: a number of queries that does not depend on what is in it."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any
from uuid import UUID

from django.db.models import F

from api.rooms.agent_sessions import selectors as agent_sessions
from api.rooms.architecture.selectors import module_names
from api.rooms.backlog.cards import Coverage, EpicCard, FeatureCard, RuleCard, SavedCard, StoryCard, TaskCard
from api.rooms.backlog.domain import codes, readiness
from api.rooms.backlog.models import (
    Backlog,
    Epic,
    Feature,
    Iteration,
    Rule,
    SavedFilter,
    Story,
    StoryEvent,
    StoryModule,
    StoryRule,
    Task,
)
from api.rooms.kernel.refusals import not_found
from contracts.backlog import STORY_LISTS, StoryContent
from contracts.detailing import Domain
from contracts.events import LogEvent
from contracts.events.backlog import Named
from contracts.vocabulary import Promotion, StoryStatus, TaskStatus

Cited = dict[UUID, list[tuple[int, bool]]]
"""By story: the numbers of the rules that it cites, and whether each was reworded since."""


TASK_COLUMNS = (
    "id",
    "number",
    "title",
    "description",
    "status",
    "domain",
    "is_locked",
    "version",
    "blocked_reason",
)


def promotion_of(project_id: UUID) -> Promotion:
    found = Backlog.objects.filter(project_id=project_id).values_list("promotion", flat=True).first()
    return Promotion(found or Promotion.MANUAL)


def epics(project_id: UUID) -> tuple[Named, ...]:
    """Codes and titles, in their order."""
    return tuple(
        Named(code=row.code, title=row.title) for row in Epic.objects.filter(project_id=project_id).order_by("number")
    )


def bare_epics(project_id: UUID) -> tuple[EpicCard, ...]:
    """Without their stories, in their order."""
    rows, features = Epic.objects.filter(project_id=project_id).order_by("number"), _features(project_id)
    return tuple(
        EpicCard(row.id, row.code, row.title, row.description, row.session_id, (), tuple(features[row.id]))
        for row in rows
    )


def epics_with_stories(project_id: UUID) -> frozenset[str]:
    """Codes of those that have at least one."""
    numbers = Story.objects.filter(project_id=project_id).order_by().values_list("epic__number", flat=True).distinct()
    return frozenset(f"{codes.EPIC}{number}" for number in numbers)


def count_stories(project_id: UUID) -> int:
    return Story.objects.filter(project_id=project_id).count()


def saved_filters(project_id: UUID, user_id: UUID) -> tuple[SavedCard, ...]:
    """This person's own, by name."""
    rows = SavedFilter.objects.filter(project_id=project_id, user_id=user_id).order_by("name")
    return tuple(SavedCard(row.id, row.name, row.query) for row in rows)


def tree(project_id: UUID) -> tuple[EpicCard, ...]:
    """Epics with their features, stories and tasks in their order."""
    stories: dict[UUID, list[StoryCard]] = defaultdict(list)
    for row, card in _stories(Story.objects.filter(project_id=project_id)):
        stories[row.epic_id].append(card)
    return tuple(replace(epic, stories=tuple(stories[epic.id])) for epic in bare_epics(project_id))


def _features(project_id: UUID) -> dict[UUID, list[FeatureCard]]:
    found: dict[UUID, list[FeatureCard]] = defaultdict(list)
    for row in Feature.objects.filter(project_id=project_id).select_related("epic").order_by("number"):
        lists = tuple(row.acceptance_criteria), tuple(row.test_scenarios)
        found[row.epic_id].append(FeatureCard(row.id, row.code, row.title, row.description, *lists))
    return found


def story(project_id: UUID, code: str) -> StoryCard:
    """Raises Refusal (`not_found`)."""
    number = codes.number_of(code, codes.STORY)
    found = _stories(Story.objects.filter(project_id=project_id, number=number))
    if not found:
        raise not_found("story")
    return found[0][1]


def story_of_task(project_id: UUID, code: str) -> str:
    """The code of the story that a task belongs to. Raises Refusal (`not_found`)."""
    rows = Task.objects.filter(project_id=project_id, number=codes.number_of(code, codes.TASK), removed_at=None)
    number = rows.values_list("story__number", flat=True).first()
    if number is None:
        raise not_found("task")
    return f"{codes.STORY}{number}"


def with_tasks(card: StoryCard, tasks: tuple[TaskCard, ...]) -> StoryCard:
    """The same story with only these of its tasks."""
    return replace(card, tasks=tasks)


def history(story_id: UUID) -> tuple[LogEvent, ...]:
    """All that the log tells of a story, the oldest first."""
    return agent_sessions.events_by_id(StoryEvent.objects.filter(story_id=story_id).values_list("event_id", flat=True))


def stories_citing(rule_id: UUID) -> tuple[StoryCard, ...]:
    """In the backlog's order."""
    return tuple(card for _, card in _stories(Story.objects.filter(cited__rule_id=rule_id)))


def stories_of(iteration: Iteration) -> tuple[StoryCard, ...]:
    """In the backlog's order."""
    return tuple(card for _, card in _stories(Story.objects.filter(iteration=iteration)))


def proposed(project_id: UUID) -> tuple[StoryCard, ...]:
    """What waits for a person's promotion, the oldest first."""
    return tuple(card for _, card in _stories(Story.objects.filter(project_id=project_id, is_proposed=True)))


def rules(project_id: UUID) -> tuple[RuleCard, ...]:
    """By their numbers; a rule that was merged into another is none any more."""
    citing: dict[UUID, list[int]] = defaultdict(list)
    links = StoryRule.objects.filter(story__project_id=project_id).order_by("story__number")
    for rule_id, number in links.values_list("rule_id", "story__number"):
        citing[rule_id].append(number)
    return tuple(
        rule_card(row, tuple(f"{codes.STORY}{number}" for number in citing[row.id]))
        for row in Rule.objects.filter(project_id=project_id, merged_into=None).order_by("number")
    )


def rule_card(row: Rule, stories: tuple[str, ...]) -> RuleCard:
    """`stories` are the codes of those that cite it."""
    return RuleCard(
        row.id, row.code, row.title, row.description, row.session_id, row.event_id, row.seq, row.version, stories
    )


def coverage(project_id: UUID) -> Coverage:
    """Only what stands alone is read whole."""
    known, stories = rules(project_id), Story.objects.filter(project_id=project_id)
    return Coverage(
        tuple(rule for rule in known if not rule.is_covered),
        tuple(card for _, card in _stories(stories.filter(cited=None))),
        len(known),
        stories.count(),
    )


def stale_stories(project_id: UUID) -> tuple[StoryCard, ...]:
    """Those that cite a rule which was reworded since, in the backlog's order."""
    behind = StoryRule.objects.filter(story__project_id=project_id, rule_version__lt=F("rule__version"))
    return tuple(card for _, card in _stories(Story.objects.filter(id__in=behind.values("story_id"))))


def stories_by_id(story_ids: Collection[UUID]) -> tuple[StoryCard, ...]:
    """In the backlog's order."""
    return tuple(card for _, card in _stories(Story.objects.filter(id__in=story_ids)))


def _stories(rows: "Iterable[Story]") -> list[tuple[Story, StoryCard]]:
    stories = list(rows.select_related("epic", "iteration", "feature").order_by("epic__number", "position", "number"))  # type: ignore[attr-defined]
    ids = [row.id for row in stories]
    cited, tasks, places = _cited(ids), _tasks(ids), _places(ids)
    known = module_names(stories[0].project_id) if places else frozenset()
    return [(row, _card(row, cited[row.id], tuple(tasks[row.id]), tuple(places[row.id]), known)) for row in stories]


def _places(story_ids: list[UUID]) -> dict[UUID, list[str]]:
    found: dict[UUID, list[str]] = defaultdict(list)
    rows = StoryModule.objects.filter(story_id__in=story_ids).order_by("name")
    for story_id, name in rows.values_list("story_id", "name"):
        found[story_id].append(name)
    return found


def _cited(story_ids: list[UUID]) -> Cited:
    found: Cited = defaultdict(list)
    links = StoryRule.objects.filter(story_id__in=story_ids).order_by("rule__number")
    for story_id, number, at, now in links.values_list("story_id", "rule__number", "rule_version", "rule__version"):
        found[story_id].append((number, at < now))
    return found


def _tasks(story_ids: list[UUID]) -> dict[UUID, list[TaskCard]]:
    """By columns and not by rows of Django: there are many, and each costs."""
    found: dict[UUID, list[TaskCard]] = defaultdict(list)
    rows = Task.objects.filter(story_id__in=story_ids, removed_at=None).order_by("position", "number")
    for row in rows.values("story_id", *TASK_COLUMNS):
        found[row["story_id"]].append(_task(row))
    return found


def task_card(row: Task) -> TaskCard:
    return _task({name: getattr(row, name) for name in TASK_COLUMNS})


def _task(row: Mapping[str, Any]) -> TaskCard:
    return TaskCard(
        id=row["id"],
        code=f"{codes.TASK}{row['number']}",
        title=row["title"],
        description=row["description"],
        status=TaskStatus(row["status"]),
        domain=Domain(row["domain"]) if row["domain"] else None,
        is_locked=row["is_locked"],
        version=row["version"],
        blocked_reason=row["blocked_reason"],
    )


def _card(
    row: Story,
    cited: list[tuple[int, bool]],
    tasks: tuple[TaskCard, ...],
    modules: tuple[str, ...],
    known: frozenset[str],
) -> StoryCard:
    gone = tuple(name for name in modules if name not in known)
    lists = {name: tuple(getattr(row, name)) for name in STORY_LISTS}
    rules_cited = tuple(f"{codes.RULE}{number}" for number, _ in cited)
    content = StoryContent(title=row.title, description=row.description, rules=rules_cited, **lists)
    return StoryCard(
        id=row.id,
        code=row.code,
        epic=row.epic.code,
        session_id=row.session_id,
        content=content,
        status=StoryStatus(row.status),
        is_proposed=row.is_proposed,
        version=row.version,
        missing=readiness.missing(content, gone),
        stale_rules=tuple(f"{codes.RULE}{number}" for number, is_stale in cited if is_stale),
        returned_reason=row.returned_reason,
        returned_at=row.returned_at,
        tasks=tasks,
        modules=modules,
        gone_modules=gone,
        tasks_version=row.tasks_version,
        iteration=row.iteration.code if row.iteration else "",
        feature=f"{row.epic.code}.F{row.feature.number}" if row.feature else "",
    )
