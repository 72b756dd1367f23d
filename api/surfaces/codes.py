"""Codes of a backlog in addresses."""

from django.urls import register_converter

STORY = "<story:code>"
"""The part of an address that is a story's code."""
RULE = "<rule:code>"
"""The same of a rule's."""
TASK = "<task:code>"
"""The same of a task's."""
ITERATION = "<iteration:code>"
"""The same of an iteration's."""


class StoryCodeConverter:
    """A story's code, as it is given out."""

    regex = "S-[1-9][0-9]{0,8}"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


class RuleCodeConverter(StoryCodeConverter):
    """A business rule's code, as it is given out."""

    regex = "R-[1-9][0-9]{0,8}"


class TaskCodeConverter(StoryCodeConverter):
    """A task's code, as it is given out."""

    regex = "T-[1-9][0-9]{0,8}"


class IterationCodeConverter(StoryCodeConverter):
    """An iteration's code, as it is given out."""

    regex = "I-[1-9][0-9]{0,8}"


register_converter(StoryCodeConverter, "story")
register_converter(RuleCodeConverter, "rule")
register_converter(TaskCodeConverter, "task")
register_converter(IterationCodeConverter, "iteration")
