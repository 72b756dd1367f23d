"""`create_epic`: an epic in the project's backlog."""

from typing import Any

from contracts.backlog import Text, Title
from contracts.base import Message
from contracts.routes.backlog import CREATE_EPIC
from contracts.routes.model import ToolSpec
from engine.domain.reading import read
from engine.domain.tools import Scope, Tool, ToolOutcome, succeeded

NAME = "create_epic"
SPEC = ToolSpec(
    name=NAME,
    description=(
        "Make an epic: a part of the product that several stories build. The answer names its code, such as E1. Every "
        "epic needs at least one story in the same turn: an epic without a story blocks the work. Example: "
        '{"title": "Loans", "description": "Everything about borrowing and giving back."}'
    ),
    parameters={
        "type": "object",
        "properties": {"title": {"type": "string"}, "description": {"type": "string"}},
        "required": ["title"],
    },
)


class NewEpic(Message):
    title: Title
    description: Text = ""


async def run(arguments: dict[str, Any], scope: Scope) -> ToolOutcome:
    """Keyed by the step, as all effects are."""
    asked = read(NewEpic, arguments)
    if isinstance(asked, ToolOutcome):
        return asked
    made = await scope.ask(CREATE_EPIC, title=asked.title, description=asked.description)
    text = f"Made the epic {made.code} “{made.title}”. Give it a story with create_story before you end."
    return succeeded(text, facts={"epic": made.code, "title": made.title})


TOOL = Tool(SPEC, run)
