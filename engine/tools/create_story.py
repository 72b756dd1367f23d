"""`create_story`: a story of an epic, with the rules that it serves."""

from typing import Any

from contracts.backlog import StoryContent
from contracts.codes import EpicCode, FeatureCode
from contracts.routes.backlog import CREATE_STORY
from contracts.routes.model import ToolSpec
from engine.domain.reading import read
from engine.domain.stories import named, standing, warnings
from engine.domain.tools import Scope, Tool, ToolOutcome, succeeded
from engine.tools.story_parts import PARTS, renamed

NAME = "create_story"
SPEC = ToolSpec(
    name=NAME,
    description=(
        "Make a story of an epic. It is complete when it has at least one functional requirement, one line of the "
        "definition of ready, one of the definition of done, and one business rule. Example: "
        '{"epic": "E1", "title": "Give a book back", "description": "As a reader, I want to give a book back, so that '
        'others can borrow it.", "functional_requirements": ["The reader sees which books are due."], '
        '"acceptance_criteria": ["Given a borrowed book, when it is given back, then it can be borrowed again."], '
        '"test_scenarios": ["Give back a book that is late."], "definition_of_ready": ["Its rules are agreed on."], '
        '"definition_of_done": ["It is tested."], "business_rules": ["R-1", "R-3"]}'
    ),
    parameters={
        "type": "object",
        "properties": {
            "epic": {"type": "string", "description": "The epic's code, such as E1."},
            "feature": {
                "type": "string",
                "description": "A feature of that epic, such as E1.F2, if it belongs to one.",
            },
            **PARTS,
        },
        "required": ["epic", "title", "business_rules"],
    },
)


class NewStory(StoryContent):
    epic: EpicCode
    feature: FeatureCode | None = None


async def run(arguments: dict[str, Any], scope: Scope) -> ToolOutcome:
    """Warnings are no refusals: the story is made."""
    asked = read(NewStory, renamed(arguments))
    if isinstance(asked, ToolOutcome):
        return asked
    content = StoryContent(**{name: getattr(asked, name) for name in StoryContent.model_fields})
    made = await scope.ask(CREATE_STORY, epic=asked.epic, feature=asked.feature, content=content)
    warned = warnings(made.overlaps, made.resembles)
    told = f"Made the story {named(made.story)}, version {made.story.version}. {standing(made.story)} {warned}"
    return succeeded(told.rstrip(), facts={"story": made.story.code, "of_epic": asked.epic})


TOOL = Tool(SPEC, run)
