"""`edit_story`: replace parts of a story, against the version that was read."""

from typing import Any

from contracts.backlog import StoryChanges
from contracts.codes import StoryCode
from contracts.events.backlog import Version
from contracts.routes.backlog import EDIT_STORY
from contracts.routes.model import ToolSpec
from engine.domain.reading import read
from engine.domain.stories import named, standing
from engine.domain.tools import Scope, Tool, ToolOutcome, succeeded
from engine.tools.story_parts import PARTS, renamed

NAME = "edit_story"
SPEC = ToolSpec(
    name=NAME,
    description=(
        "Change a story. Give only the parts that change; each replaces the whole part. `version` is the one that you "
        "read in list_backlog or in an answer: when somebody changed the story since, you are told, and read it again. "
        'Example: {"story": "S-3", "version": 2, "acceptance_criteria": ["Given a late book, when it is given back, '
        'then a fine is shown."]}'
    ),
    parameters={
        "type": "object",
        "properties": {
            "story": {"type": "string", "description": "The story's code, such as S-3."},
            "version": {"type": "integer", "minimum": 1},
            **PARTS,
        },
        "required": ["story", "version"],
    },
)


class Edit(StoryChanges):
    story: StoryCode
    version: Version


async def run(arguments: dict[str, Any], scope: Scope) -> ToolOutcome:
    """Says what changed, so that the model can tell the person."""
    asked = read(Edit, renamed(arguments))
    if isinstance(asked, ToolOutcome):
        return asked
    changes = StoryChanges(**{name: getattr(asked, name) for name in StoryChanges.model_fields})
    done = await scope.ask(EDIT_STORY, story=asked.story, version=asked.version, changes=changes)
    if not done.changes:
        return succeeded(f"{named(done.story)} says all of that already; it stays at version {done.story.version}.")
    fields = ", ".join(change.field for change in done.changes)
    told = f"Changed {fields} of {named(done.story)}; it is at version {done.story.version}. {standing(done.story)}"
    return succeeded(told, facts={"story": done.story.code})


TOOL = Tool(SPEC, run)
