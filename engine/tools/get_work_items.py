"""`get_work_items`: the epic of the conversation with its stories and their tasks, whole."""

from collections.abc import Iterator
from typing import Any

from contracts.backlog import STORY_LISTS
from contracts.failures import ErrorCode
from contracts.limits import MAX_TOOL_LIST_BYTES
from contracts.routes.model import ToolSpec
from contracts.routes.work_items import GET_WORK_ITEMS, WorkItems, WorkStory
from engine.domain.scopes import epic_in
from engine.domain.tools import NO_PARAMETERS, Scope, Tool, ToolOutcome, failed, succeeded

NAME = "get_work_items"
NO_EPIC = "Not done: this conversation names no epic. Ask the person to start it with one."
SPEC = ToolSpec(
    name=NAME,
    description=(
        "Read the epic that this conversation is about: its stories with all their parts, versions and tasks. Parts "
        "and tasks that a person wrote by hand are marked: they stay. It takes no arguments: {}"
    ),
    parameters=NO_PARAMETERS,
)


def told(items: WorkItems) -> str:
    lines = [f"{items.epic.code} “{items.epic.title}”, {len(items.stories)} stories."]
    for story in items.stories:
        lines += _story(story)
    return "\n".join(lines)


def _story(story: WorkStory) -> Iterator[str]:
    state, content = story.state, story.content
    rules = ", ".join(content.rules) or "no rule"
    yield f"  {state.code} “{state.title}” version {state.version}, {state.status}; {rules}; {len(story.tasks)} tasks"
    if story.locked:
        yield f"    by hand, stays: {', '.join(story.locked)}"
    for name in STORY_LISTS:
        for line in getattr(content, name):
            yield f"    {name}: {line}"
    for task, version in zip(story.tasks, story.task_versions, strict=True):
        domain = f" ({task.domain})" if task.domain else ""
        mark = ", stays" if task.is_locked else ""
        yield f"    {task.code}{domain} “{task.title}” version {version}, {task.status}{mark}"


async def run(arguments: dict[str, Any], scope: Scope) -> ToolOutcome:
    """Arguments are of no use here, and of no harm."""
    del arguments
    epic = epic_in(scope.history)
    if epic is None:
        return failed(ErrorCode.INVALID_TOOL_ARGUMENTS, NO_EPIC)
    return succeeded(told(await scope.ask(GET_WORK_ITEMS, epic=epic)), max_bytes=MAX_TOOL_LIST_BYTES)


TOOL = Tool(SPEC, run)
