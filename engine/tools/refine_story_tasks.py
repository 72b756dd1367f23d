"""`refine_story_tasks`: the tasks of one story, by the one generator; conversation and batch call this alike."""

from typing import Any

from contracts.base import Message
from contracts.codes import StoryCode
from contracts.detailing import DetailedTask, DetailingInputs
from contracts.failures import ErrorCode
from contracts.limits import MAX_TOOL_LIST_BYTES
from contracts.routes.detailing import READ_STORY, REPLACE_TASKS, TasksWritten
from contracts.routes.model import ToolSpec
from contracts.text import fold
from engine.domain import detailing
from engine.domain.detailing import Wrong
from engine.domain.failures import diagnosis
from engine.domain.reading import read
from engine.domain.tools import Scope, Tool, ToolOutcome, failed, succeeded

NAME = "refine_story_tasks"
MAX_TRIES = 2
SPEC = ToolSpec(
    name=NAME,
    description=(
        "Let the generator write the tasks of one story. Use it for a story that has none. For a story that has tasks "
        "it shows what would go, stay and come, and writes nothing: show that to the person, and only when they said "
        "yes to replacing all, call it again with `replace_existing` true. What was written by hand or begun stays. "
        'Example: {"story": "S-3"}'
    ),
    parameters={
        "type": "object",
        "properties": {
            "story": {"type": "string", "description": "The story's code, such as S-3."},
            "replace_existing": {
                "type": "boolean",
                "description": "Only after the person said yes. False if left out.",
            },
        },
        "required": ["story"],
    },
)


class Refinement(Message):
    story: StoryCode
    replace_existing: bool = False


async def run(arguments: dict[str, Any], scope: Scope) -> ToolOutcome:
    """Read, generate, write against the version that was read. Nothing of it is done twice under one step."""
    asked = read(Refinement, arguments)
    if isinstance(asked, ToolOutcome):
        return asked
    inputs = await scope.ask(READ_STORY, story=asked.story)
    tasks = await generate(inputs, scope)
    if isinstance(tasks, ToolOutcome):
        return tasks
    if inputs.tasks and not asked.replace_existing:
        return succeeded(difference(inputs, tasks), max_bytes=MAX_TOOL_LIST_BYTES)
    written = await scope.ask(
        REPLACE_TASKS,
        story=asked.story,
        tasks_version=inputs.tasks_version,
        tasks=tasks,
        replace_existing=asked.replace_existing,
    )
    facts = {"story": written.story.code, "tasks": str(len(written.added))}
    return succeeded(told(written), facts=facts, max_bytes=MAX_TOOL_LIST_BYTES)


async def generate(inputs: DetailingInputs, scope: Scope) -> tuple[DetailedTask, ...] | ToolOutcome:
    """The tasks, or why there are none; an answer that cannot be kept is asked for once more."""
    messages = detailing.request(inputs)
    wrong = Wrong("")
    for call in range(MAX_TRIES):
        final = await scope.think(messages, detailing.SPEC, call=call)
        if final.error is not None:
            return failed(final.error.code, f"Not done: {diagnosis(final.error.diagnosis)}")
        tasks = detailing.tasks_of(final)
        if not isinstance(tasks, Wrong):
            return tasks
        wrong, messages = tasks, detailing.again(messages, final, tasks)
    return failed(ErrorCode.INVALID_TASKS, f"Not done: the generator's answer could not be kept: {wrong.problem}.")


def difference(inputs: DetailingInputs, tasks: tuple[DetailedTask, ...]) -> str:
    """What would go, stay and come; nothing was written."""
    stays = [task for task in inputs.tasks if task.is_locked]
    known = {fold(task.title) for task in stays}
    lines = [f"{inputs.story} has {len(inputs.tasks)} tasks already. Nothing was written. Replacing them would mean:"]
    lines += [f"- goes: {task.code} {task.title}" for task in inputs.tasks if not task.is_locked]
    lines += [f"- stays: {task.code} {task.title}" for task in stays]
    lines += [f"- comes: ({task.domain.value}) {task.title}" for task in tasks if fold(task.title) not in known]
    lines.append("Show this to the person. With their yes, call again with replace_existing true.")
    return "\n".join(lines)


def told(written: TasksWritten) -> str:
    """How many there were, and which went, stayed and came."""
    lines = [f"{written.story.code} “{written.story.title}” had {written.previous} tasks."]
    for words, tasks in (("Removed", written.removed), ("Kept", written.kept), ("Added", written.added)):
        if tasks:
            lines.append(f"{words}: {', '.join(f'{task.code} “{task.title}”' for task in tasks)}.")
    return " ".join(lines)


TOOL = Tool(SPEC, run)
