"""Which stories are asked for: by words, state, epic and what they need."""

from dataclasses import asdict, dataclass
from enum import StrEnum

from api.rooms.backlog.cards import EpicCard, StoryCard
from contracts.text import fold
from contracts.vocabulary import StoryStatus

MAX_WORDS = 200


class Need(StrEnum):
    """What somebody still has to do about a story."""

    PROMOTION = "promotion"
    CONTENT = "content"
    REVIEW = "review"
    REWORK = "rework"
    TASKS = "tasks"


@dataclass(frozen=True)
class Filter:
    """Empty fields ask for nothing."""

    words: str = ""
    status: StoryStatus | None = None
    need: Need | None = None
    epic: str = ""

    @property
    def is_open(self) -> bool:
        return self == Filter()

    def as_query(self) -> dict[str, str]:
        return {name: str(value) for name, value in asdict(self).items() if value}

    def matches(self, story: StoryCard) -> bool:
        return (
            (self.status is None or story.status is self.status)
            and (not self.epic or story.epic == self.epic)
            and (self.need is None or self.need in needs_of(story))
            and all(word in _searched(story) for word in fold(self.words).split())
        )


def read(query: dict[str, str]) -> Filter:
    """What cannot be read asks for nothing: an old link still opens."""
    return Filter(
        words=query.get("words", "").replace("\x00", "").strip()[:MAX_WORDS],
        status=next((each for each in StoryStatus if each == query.get("status")), None),
        need=next((each for each in Need if each == query.get("need")), None),
        epic=query.get("epic", "")[:MAX_WORDS],
    )


def needs_of(story: StoryCard) -> frozenset[Need]:
    found = {
        Need.PROMOTION: story.is_proposed,
        Need.CONTENT: bool(story.missing),
        Need.REVIEW: bool(story.stale_rules),
        Need.REWORK: bool(story.returned_reason),
        Need.TASKS: not story.tasks,
    }
    return frozenset(need for need, is_there in found.items() if is_there)


def narrowed(epics: tuple[EpicCard, ...], wanted: Filter) -> tuple[EpicCard, ...]:
    """With the stories that match; an epic without one is left out, unless everything is asked for."""
    kept = []
    for epic in epics:
        stories = tuple(story for story in epic.stories if wanted.matches(story))
        if stories or wanted.is_open:
            kept.append(EpicCard(epic.id, epic.code, epic.title, epic.description, epic.session_id, stories))
    return tuple(kept)


def _searched(story: StoryCard) -> str:
    """Titles, words and codes, tasks included."""
    content = story.content
    texts = [story.code, content.title, content.description, *content.rules, *content.functional_requirements]
    texts += content.acceptance_criteria
    texts += [f"{task.code} {task.title}" for task in story.tasks]
    return fold("\n".join(texts))
