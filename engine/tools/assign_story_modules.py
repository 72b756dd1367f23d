"""`assign_story_modules`: where a story is built (RN-066)."""

from typing import Annotated, Any

from pydantic import Field

from contracts.base import Message
from contracts.codes import StoryCode
from contracts.limits import MAX_MODULES
from contracts.routes.architecture import ASSIGN_MODULES
from contracts.routes.model import ToolSpec
from engine.domain.reading import read
from engine.domain.stories import named, standing
from engine.domain.tools import Scope, Tool, ToolOutcome, succeeded

NAME = "assign_story_modules"
SPEC = ToolSpec(
    name=NAME,
    description=(
        "Say in which modules a story is built; it replaces what was assigned before. Use the names of the current "
        "module map exactly as read_architecture and create_module_map write them. Example: "
        '{"story": "S-3", "modules": ["loans"]}'
    ),
    parameters={
        "type": "object",
        "properties": {
            "story": {"type": "string", "description": "The story's code, such as S-3."},
            "modules": {"type": "array", "items": {"type": "string"}, "maxItems": MAX_MODULES},
        },
        "required": ["story", "modules"],
    },
)


class Assignment(Message):
    story: StoryCode
    modules: Annotated[tuple[str, ...], Field(max_length=MAX_MODULES)]


async def run(arguments: dict[str, Any], scope: Scope) -> ToolOutcome:
    """An unknown name is answered with the valid ones."""
    asked = read(Assignment, arguments)
    if isinstance(asked, ToolOutcome):
        return asked
    done = await scope.ask(ASSIGN_MODULES, story=asked.story, modules=asked.modules)
    names = ", ".join(done.modules) or "no module"
    return succeeded(f"Assigned {named(done.story)} to {names}. {standing(done.story)}")


TOOL = Tool(SPEC, run)
