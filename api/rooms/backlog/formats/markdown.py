"""A backlog as Markdown, for people to read; it is not read back."""

from collections.abc import Iterable

from api.rooms.backlog.domain.documents import BacklogDocument, StoryRow
from contracts.backlog import STORY_LISTS

HEADINGS = {name: name.replace("_", " ").capitalize() for name in STORY_LISTS}


def write(document: BacklogDocument) -> str:
    return "\n".join(_lines(document)) + "\n"


def _lines(document: BacklogDocument) -> Iterable[str]:
    yield f"# {document.project or 'Backlog'}"
    if document.rules:
        yield "\n## Business rules\n"
        for rule in document.rules:
            yield f"- **{rule.code} {rule.title}**: {_inline(rule.description)}"
    for epic in document.epics:
        yield f"\n## {epic.code} {epic.title}\n"
        if epic.description:
            yield epic.description
        for story in document.stories:
            if story.epic == epic.code:
                yield from _story(document, story)
    for each in document.iterations:
        yield f"\n## {each.code} {each.title}\n"
        yield from (f"{place}. {code}" for place, code in enumerate(each.stories, 1))


def _story(document: BacklogDocument, story: StoryRow) -> Iterable[str]:
    content = story.content
    yield f"\n### {story.code} {content.title}\n"
    yield f"*{story.status.value.replace('_', ' ')}* · {', '.join(content.rules) or 'no rule'}"
    if content.description:
        yield f"\n{content.description}"
    for name, heading in HEADINGS.items():
        lines = getattr(content, name)
        if lines:
            yield f"\n**{heading}**\n"
            yield from (f"- {_inline(line)}" for line in lines)
    tasks = [task for task in document.tasks if task.story == story.code]
    if tasks:
        yield "\n**Tasks**\n"
        for task in tasks:
            mark = "x" if task.status.value == "done" else " "
            domain = f" ({task.domain.value})" if task.domain else ""
            yield f"- [{mark}] {task.code}{domain} {task.title}"


def _inline(text: str) -> str:
    return " ".join(text.split())
