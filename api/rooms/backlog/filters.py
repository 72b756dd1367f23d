"""Which stories are asked for: by words, state, epic and what they need."""

from dataclasses import asdict, dataclass
from enum import StrEnum

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


def read(query: dict[str, str]) -> Filter:
    """What cannot be read asks for nothing: an old link still opens."""
    return Filter(
        words=query.get("words", "").replace("\x00", "").strip()[:MAX_WORDS],
        status=next((each for each in StoryStatus if each == query.get("status")), None),
        need=next((each for each in Need if each == query.get("need")), None),
        epic=query.get("epic", "")[:MAX_WORDS],
    )
