"""Codes of a backlog in addresses."""

from django.urls import register_converter

STORY = "<story:code>"
"""The part of an address that is a story's code."""


class StoryCodeConverter:
    """A story's code, as it is given out."""

    regex = "S-[1-9][0-9]{0,8}"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(StoryCodeConverter, "story")
