"""`find_story`: which story the person means, resolved by the workspace and not by the model's eye."""

from typing import Annotated, Any

from pydantic import Field

from contracts.base import Message
from contracts.limits import MAX_TITLE_CHARS
from contracts.routes.detailing import RESOLVE_STORY, StoryResolved
from contracts.routes.model import ToolSpec
from engine.domain.reading import read
from engine.domain.scopes import epic_in
from engine.domain.tools import Scope, Tool, ToolOutcome, succeeded

NAME = "find_story"
SPEC = ToolSpec(
    name=NAME,
    description=(
        "Find the story that the person means, by the code or the title that they said. When several are alike, the "
        'candidates come back: then ask the person which one, and change nothing before. Example: {"said": "the login '
        'by e-mail"}'
    ),
    parameters={"type": "object", "properties": {"said": {"type": "string"}}, "required": ["said"]},
)


class Said(Message):
    said: Annotated[str, Field(min_length=1, max_length=MAX_TITLE_CHARS)]


def told(found: StoryResolved) -> str:
    """The story, or whom to ask."""
    if found.story is not None:
        return f"It is {found.story.code} “{found.story.title}”."
    if not found.candidates:
        return "No story is called anything like that here. Ask the person which one they mean."
    listed = "; ".join(f"{each.code} “{each.title}”" for each in found.candidates)
    return f"It could be: {listed}. Ask the person which one they mean, and change nothing before."


async def run(arguments: dict[str, Any], scope: Scope) -> ToolOutcome:
    """Each answer is recorded, so that its rate can be shown."""
    asked = read(Said, arguments)
    if isinstance(asked, ToolOutcome):
        return asked
    return succeeded(told(await scope.ask(RESOLVE_STORY, said=asked.said, epic=epic_in(scope.history))))


TOOL = Tool(SPEC, run)
