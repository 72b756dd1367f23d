"""What a story is made of, and how much of it there may be."""

from typing import Annotated

from pydantic import Field

from contracts.base import Message
from contracts.codes import RuleCode
from contracts.limits import MAX_ARTIFACT_TEXT_CHARS, MAX_LINE_CHARS, MAX_LINES, MAX_TITLE_CHARS

Title = Annotated[str, Field(min_length=1, max_length=MAX_TITLE_CHARS)]
Text = Annotated[str, Field(max_length=MAX_ARTIFACT_TEXT_CHARS)]
Line = Annotated[str, Field(min_length=1, max_length=MAX_LINE_CHARS)]
Lines = Annotated[tuple[Line, ...], Field(max_length=MAX_LINES)]
Rules = Annotated[tuple[RuleCode, ...], Field(max_length=MAX_LINES)]


class StoryContent(Message):
    """`rules` are codes of the project's business rules, never of another's (D-48)."""

    title: Title
    description: Text = ""
    functional_requirements: Lines = ()
    nonfunctional_requirements: Lines = ()
    acceptance_criteria: Lines = ()
    test_scenarios: Lines = ()
    definition_of_ready: Lines = ()
    definition_of_done: Lines = ()
    rules: Rules = ()


class StoryChanges(Message):
    """What an edit replaces; null leaves a field as it is."""

    title: Title | None = None
    description: Text | None = None
    functional_requirements: Lines | None = None
    nonfunctional_requirements: Lines | None = None
    acceptance_criteria: Lines | None = None
    test_scenarios: Lines | None = None
    definition_of_ready: Lines | None = None
    definition_of_done: Lines | None = None
    rules: Rules | None = None


STORY_LISTS = (
    "functional_requirements",
    "nonfunctional_requirements",
    "acceptance_criteria",
    "test_scenarios",
    "definition_of_ready",
    "definition_of_done",
)
"""The parts of a story that are lists of lines."""
