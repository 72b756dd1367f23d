"""A story as a form, and back: a text for each part, a line for each of its lines."""

from dataclasses import dataclass

from django.http import QueryDict
from pydantic import ValidationError

from api.rooms.backlog.cards import StoryCard
from api.rooms.kernel.refusals import Refusal
from contracts.backlog import STORY_LISTS, StoryChanges
from contracts.problem import ProblemCode

VERSION_DIGITS = 9
TEXTS = ("title", "description")
PARTS = (*TEXTS, *STORY_LISTS, "rules")


@dataclass(frozen=True)
class Typed:
    """`texts` by part, as typed; `version` is the one that the person saw."""

    version: int
    texts: dict[str, str]

    def changes(self) -> StoryChanges:
        """Raises Refusal naming the parts that are longer than they may be, or are no codes."""
        given: dict[str, object] = {name: self.texts[name].strip() for name in TEXTS}
        given |= {name: _lines(self.texts[name]) for name in STORY_LISTS}
        given["rules"] = tuple(self.texts["rules"].replace(",", " ").upper().split())
        try:
            return StoryChanges.model_validate(given)
        except ValidationError as error:
            wrong = "; ".join(f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors())
            raise Refusal(ProblemCode.INVALID_BODY, wrong) from None


@dataclass(frozen=True)
class Part:
    """`other` is what stands there now, where somebody wrote it meanwhile and it is not what was typed."""

    name: str
    text: str
    other: str | None

    @property
    def is_line(self) -> bool:
        return self.name in {"title", "rules"}


def version_in(posted: QueryDict) -> int:
    """The version that the person saw, as the form carries it. Raises Refusal."""
    version = posted.get("version", "")
    if not (version.isascii() and version.isdigit() and len(version) <= VERSION_DIGITS):
        raise Refusal(ProblemCode.INVALID_BODY, "The field `version` is the number of the version that you read.")
    return int(version)


def read(posted: QueryDict) -> Typed:
    return Typed(version_in(posted), {name: posted.get(name, "").replace("\r\n", "\n") for name in PARTS})


def of(story: StoryCard) -> Typed:
    content = story.content
    texts = {name: getattr(content, name) for name in TEXTS}
    texts |= {name: "\n".join(getattr(content, name)) for name in STORY_LISTS}
    return Typed(story.version, texts | {"rules": ", ".join(content.rules)})


def parts(typed: Typed, beside: StoryCard | None) -> list[Part]:
    """With what stands in `beside`, where it differs."""
    there = of(beside).texts if beside and beside.version != typed.version else typed.texts
    return [
        Part(name, typed.texts[name], there[name] if there[name].strip() != typed.texts[name].strip() else None)
        for name in PARTS
    ]


def _lines(text: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in text.splitlines() if line.strip())
