"""Finding stories: narrowed in the database, read only as far as they are shown, in a fixed number of queries."""

from collections import defaultdict
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.expressions import Expression

from api.rooms.architecture.selectors import module_names
from api.rooms.backlog import selectors
from api.rooms.backlog.cards import StoryCard
from api.rooms.backlog.domain import codes
from api.rooms.backlog.filters import Filter, Need
from api.rooms.backlog.models import Story, StoryModule, StoryRule, Task
from contracts.text import fold
from contracts.vocabulary import StoryStatus


@dataclass(frozen=True)
class Found:
    """The first `stories` of `total`, and the first of each status with how many there are."""

    stories: tuple[StoryCard, ...]
    total: int
    by_status: dict[StoryStatus, tuple[tuple[StoryCard, ...], int]]


def search(project_id: UUID, wanted: Filter, most: int) -> Found:
    """In the backlog's order."""
    index = _index(project_id, wanted)
    statuses: dict[str, list[UUID]] = defaultdict(list)
    for story_id, status in index:
        statuses[status].append(story_id)
    share = most // len(StoryStatus)
    firsts = [story_id for story_id, _ in index[:most]]
    columns = {status: statuses[status][:share] for status in StoryStatus}
    shown = {*firsts, *(story_id for ids in columns.values() for story_id in ids)}
    cards = {card.id: card for card in selectors.stories_by_id(shown)}
    by_status = {
        status: (tuple(cards[story_id] for story_id in ids), len(statuses[status])) for status, ids in columns.items()
    }
    return Found(tuple(cards[story_id] for story_id in firsts), len(index), by_status)


def _index(project_id: UUID, wanted: Filter) -> list[tuple[UUID, str]]:
    rows = _narrowed(project_id, wanted).order_by("epic__number", "position", "number")
    index = list(rows.values_list("id", "status"))
    if not wanted.words:
        return index
    texts = _texts(rows)
    words = fold(wanted.words).split()
    return [(story_id, status) for story_id, status in index if all(word in texts[story_id] for word in words)]


def _narrowed(project_id: UUID, wanted: Filter) -> QuerySet[Story]:
    rows = Story.objects.filter(project_id=project_id)
    if wanted.status is not None:
        rows = rows.filter(status=wanted.status)
    if wanted.epic:
        rows = rows.filter(epic__number=codes.number_of(wanted.epic, codes.EPIC))
    return rows.filter(_need(project_id, wanted.need)) if wanted.need is not None else rows


def _need(project_id: UUID, need: Need) -> Q | Exists | Expression:
    """What somebody still has to do, as a condition."""
    cited = StoryRule.objects.filter(story=OuterRef("pk"))
    match need:
        case Need.PROMOTION:
            return Q(is_proposed=True)
        case Need.REWORK:
            return ~Q(returned_reason="")
        case Need.REVIEW:
            return Exists(cited.filter(rule_version__lt=F("rule__version")))
        case Need.TASKS:
            return ~Exists(Task.objects.filter(story=OuterRef("pk"), removed_at=None))
        case Need.CONTENT:
            gone = StoryModule.objects.filter(story=OuterRef("pk")).exclude(name__in=module_names(project_id))
            lacks = Q(functional_requirements=[]) | Q(definition_of_ready=[]) | Q(definition_of_done=[])
            return lacks | ~Exists(cited) | Exists(gone)


def _texts(rows: QuerySet[Story]) -> dict[UUID, str]:
    """What is searched: titles, words and codes, those of rules and tasks included."""
    found: dict[UUID, list[str]] = defaultdict(list)
    columns = ("id", "number", "title", "description", "functional_requirements", "acceptance_criteria")
    for story_id, number, title, description, requirements, criteria in rows.values_list(*columns):
        found[story_id] += [f"{codes.STORY}{number}", title, description, *requirements, *criteria]
    links = StoryRule.objects.filter(story__in=rows.order_by()).values_list("story_id", "rule__number")
    for story_id, number in links:
        found[story_id].append(f"{codes.RULE}{number}")
    tasks = Task.objects.filter(story__in=rows.order_by(), removed_at=None).values_list("story_id", "number", "title")
    for story_id, number, title in tasks:
        found[story_id].append(f"{codes.TASK}{number} {title}")
    return {story_id: fold("\n".join(texts)) for story_id, texts in found.items()}
