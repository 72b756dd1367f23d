"""`create_feature`: a part of an epic that several stories build together."""

from typing import Any

from contracts.backlog import Lines, Text, Title
from contracts.base import Message
from contracts.codes import EpicCode
from contracts.routes.backlog import CREATE_FEATURE
from contracts.routes.model import ToolSpec
from engine.domain.reading import read
from engine.domain.tools import Scope, Tool, ToolOutcome, succeeded
from engine.tools.story_parts import LINES

NAME = "create_feature"
SPEC = ToolSpec(
    name=NAME,
    description=(
        "Make a feature of an epic, where several stories build one thing together. The answer names its code, such as "
        'E1.F2; give it to create_story. Small epics need none. Example: {"epic": "E1", "title": "Reminders", '
        '"acceptance_criteria": ["Given a late book, when the day begins, then its reader is told once."]}'
    ),
    parameters={
        "type": "object",
        "properties": {
            "epic": {"type": "string", "description": "The epic's code, such as E1."},
            "title": {"type": "string"},
            "description": {"type": "string"},
            "acceptance_criteria": LINES,
            "test_scenarios": LINES,
        },
        "required": ["epic", "title"],
    },
)


class NewFeature(Message):
    epic: EpicCode
    title: Title
    description: Text = ""
    acceptance_criteria: Lines = ()
    test_scenarios: Lines = ()


async def run(arguments: dict[str, Any], scope: Scope) -> ToolOutcome:
    """It owes no story: the epic does."""
    asked = read(NewFeature, arguments)
    if isinstance(asked, ToolOutcome):
        return asked
    made = await scope.ask(CREATE_FEATURE, **dict(asked))
    return succeeded(f"Made the feature {made.code} “{made.title}”.", facts={"feature": made.code})


TOOL = Tool(SPEC, run)
