"""What the rehearsal reads out of the lists that an agent's tools answered with."""

import re
from dataclasses import dataclass

RULE = re.compile(r"^(R-\d+) “(.+?)” \[(.*?)\]: (.*)$", re.MULTILINE)
EPIC = re.compile(r"^(E\d+) “(.+?)”", re.MULTILINE)
STORY = re.compile(r"^  (S-\d+) “(.+?)” version (\d+), (\w+)", re.MULTILINE)
MADE = re.compile(r"\A(?:Made|Changed|Added)\b.*?\b([ESRT]-?\d+) “(.+?)”")
UNCOVERED = "NO STORY"


@dataclass(frozen=True)
class ListedRule:
    code: str
    title: str
    description: str
    is_covered: bool


@dataclass(frozen=True)
class ListedStory:
    code: str
    title: str
    version: int


def rules_of(text: str) -> tuple[ListedRule, ...]:
    """In the order of the list."""
    return tuple(
        ListedRule(code, title, told, stories != UNCOVERED) for code, title, stories, told in RULE.findall(text)
    )


def epics_of(text: str) -> tuple[str, ...]:
    """Codes."""
    return tuple(code for code, _ in EPIC.findall(text))


def stories_of(text: str) -> tuple[ListedStory, ...]:
    return tuple(ListedStory(code, title, int(version)) for code, title, version, _ in STORY.findall(text))


def made(text: str) -> tuple[str, str] | None:
    """Code and title of what a tool says it made; nothing when it refused."""
    found = MADE.match(text)
    return (found[1], found[2]) if found else None
