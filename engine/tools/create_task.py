"""`create_task`: a piece of work of a story."""

from typing import Any

from contracts.backlog import Text, Title
from contracts.base import Message
from contracts.codes import StoryCode
from contracts.routes.backlog import CREATE_TASK
from contracts.routes.model import ToolSpec
from engine.domain.reading import read
from engine.domain.tools import Scope, Tool, ToolOutcome, succeeded

NAME = "create_task"
SPEC = ToolSpec(
    name=NAME,
    description=(
        "Add a task to a story: one piece of work that one developer can do. It traces back to the story's rules. "
        'Example: {"story": "S-3", "title": "Show the due date", "description": "In the list of borrowed books."}'
    ),
    parameters={
        "type": "object",
        "properties": {
            "story": {"type": "string", "description": "The story's code, such as S-3."},
            "title": {"type": "string"},
            "description": {"type": "string"},
        },
        "required": ["story", "title"],
    },
)


class NewTask(Message):
    story: StoryCode
    title: Title
    description: Text = ""


async def run(arguments: dict[str, Any], scope: Scope) -> ToolOutcome:
    asked = read(NewTask, arguments)
    if isinstance(asked, ToolOutcome):
        return asked
    made = await scope.ask(CREATE_TASK, story=asked.story, title=asked.title, description=asked.description)
    return succeeded(f"Added the task {made.code} “{made.title}” to {made.story}.", facts={"task": made.code})


TOOL = Tool(SPEC, run)
