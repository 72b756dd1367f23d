"""From any rule, story or task up to the sentences it came from and down to what came of it (why, and what for).

A hop that is not there is named and never passed over.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from api.rooms.backlog import rule_pages, selectors
from api.rooms.backlog.cards import QuoteCard, RulePage, StoryCard
from api.rooms.backlog.domain import codes
from api.rooms.backlog.models import Task
from api.rooms.kernel.refusals import Refusal, not_found
from contracts.artifacts import BusinessRule
from contracts.problem import ProblemCode


class Hop(StrEnum):
    """What leads from one step of a trace to the next."""

    QUOTE = "quote"
    MESSAGE = "message"
    RULE = "rule"
    STORY = "story"
    TASK = "task"


@dataclass(frozen=True)
class Missing:
    """After `code` no `hop` follows, and `why`."""

    code: str
    hop: Hop
    why: str


@dataclass(frozen=True)
class Trace:
    """Rules with what they rest on, the stories that cite them, their tasks; `missing` in the same order."""

    asked: str
    rules: tuple[RulePage, ...]
    stories: tuple[StoryCard, ...]
    missing: tuple[Missing, ...]


def trace(project_id: UUID, code: str) -> Trace:
    """Of a rule (`R-3`), a story (`S-14`) or a task (`T-31`). Raises Refusal: not found, or no such code."""
    for prefix, walk in _WALKS.items():
        if codes.number_of(code, prefix):
            return walk(project_id, code)
    raise Refusal(ProblemCode.INVALID_PARAMETER, "What can be traced is a rule, a story or a task: R-3, S-14, T-31.")


def _of_rule(project_id: UUID, code: str) -> Trace:
    page = rule_pages.rule_page(project_id, code)
    return _trace(code, (page,), page.stories)


def _of_story(project_id: UUID, code: str) -> Trace:
    story = selectors.story(project_id, code)
    return _trace(code, _rules(project_id, story), (story,))


def _of_task(project_id: UUID, code: str) -> Trace:
    """Its story, and of the story's tasks this one."""
    rows = Task.objects.filter(project_id=project_id, number=codes.number_of(code, codes.TASK))
    number = rows.values_list("story__number", flat=True).first()
    if number is None:
        raise not_found("task")
    story = selectors.story(project_id, f"{codes.STORY}{number}")
    only = tuple(task for task in story.tasks if task.code == code)
    return _trace(code, _rules(project_id, story), (selectors.with_tasks(story, only),))


_WALKS: dict[str, Callable[[UUID, str], Trace]] = {
    codes.RULE: _of_rule,
    codes.STORY: _of_story,
    codes.TASK: _of_task,
}


def _rules(project_id: UUID, story: StoryCard) -> tuple[RulePage, ...]:
    return tuple(rule_pages.rule_page(project_id, code) for code in story.content.rules)


def _trace(asked: str, rules: tuple[RulePage, ...], stories: tuple[StoryCard, ...]) -> Trace:
    lacks = [missing for page in rules for missing in _of_page(page)]
    return Trace(asked, rules, stories, (*lacks, *_of_stories(stories)))


def _of_page(page: RulePage) -> Iterable[Missing]:
    code = page.rule.code
    if not page.quotes:
        yield Missing(code, Hop.QUOTE, _why_unquoted(page))
    yield from (_broken(code, quote) for quote in page.quotes if not quote.is_intact)
    if not page.stories:
        why = f"It was merged into {page.merged_into}." if page.merged_into else "No story cites it."
        yield Missing(code, Hop.STORY, why)


def _why_unquoted(page: RulePage) -> str:
    rules = [event.payload for event in page.wordings if isinstance(event.payload, BusinessRule)]
    named = sorted({seq for rule in rules for seq in rule.origin})
    if not named:
        return "The log does not hold any of its wordings."
    return f"It names the messages {', '.join(map(str, named))} and quotes none of their words."


def _broken(code: str, quote: QuoteCard) -> Missing:
    return Missing(code, Hop.MESSAGE, f"Message {quote.seq} does not hold the quoted text any more.")


def _of_stories(stories: Iterable[StoryCard]) -> Iterable[Missing]:
    for story in stories:
        if not story.content.rules:
            yield Missing(story.code, Hop.RULE, "It cites no rule.")
        if not story.tasks:
            yield Missing(story.code, Hop.TASK, "It has no task.")
