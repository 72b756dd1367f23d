"""`list_backlog`: epics, stories and tasks of the project, epics without a story first (RN-164)."""

from collections.abc import Iterator
from typing import Any

from contracts.limits import MAX_TOOL_LIST_BYTES
from contracts.routes.backlog import LIST_BACKLOG, BacklogAnswer, EpicLine, StoryLine
from contracts.routes.model import ToolSpec
from engine.domain.tools import NO_PARAMETERS, Scope, Tool, ToolOutcome, succeeded

NAME = "list_backlog"
SPEC = ToolSpec(
    name=NAME,
    description=(
        "Read the project's backlog: epics, their stories with version, status, rules and what each lacks, and tasks. "
        "Epics without a story come first. It takes no arguments: {}"
    ),
    parameters=NO_PARAMETERS,
)


def told(answer: BacklogAnswer) -> str:
    """The total first; what was left out is said where it is missing."""
    if not answer.epics:
        return "The backlog is empty: there is no epic yet."
    lines = [f"{answer.epics_total} epics."]
    for epic in answer.epics:
        lines += _epic(epic)
    left_out = answer.epics_total - len(answer.epics)
    if left_out:
        lines.append(f"{left_out} more epics are not shown.")
    return "\n".join(lines)


def _epic(epic: EpicLine) -> Iterator[str]:
    warning = "" if epic.stories_total else " — NO STORY: this blocks the work"
    yield f"{epic.code} “{epic.title}”{warning}"
    for feature in epic.features:
        yield f"  feature {feature.code} “{feature.title}”"
    for story in epic.stories:
        yield from _story(story)
    left_out = epic.stories_total - len(epic.stories)
    if left_out:
        yield f"  {left_out} more stories of {epic.code} are not shown."


def _story(story: StoryLine) -> Iterator[str]:
    state = story.state
    parts = [
        f"  {state.code} “{state.title}” version {state.version}, {state.status}",
        ", ".join(story.rules) or "no rule",
    ]
    if state.is_proposed:
        parts.append("waits for a person's promotion")
    if state.missing:
        parts.append(f"lacks {', '.join(state.missing)}")
    if story.returned_reason:
        parts.append(f"given back: {story.returned_reason}")
    yield "; ".join(parts)
    for task in story.tasks:
        yield f"    {task.code} “{task.title}” {task.status}"


async def run(arguments: dict[str, Any], scope: Scope) -> ToolOutcome:
    """Arguments are of no use here, and of no harm."""
    del arguments
    return succeeded(told(await scope.ask(LIST_BACKLOG)), max_bytes=MAX_TOOL_LIST_BYTES)


TOOL = Tool(SPEC, run)
