"""A note: something worth keeping that is no rule."""

from typing import Annotated, Literal

from pydantic import Field

from contracts.base import Message
from contracts.limits import MAX_ARTIFACT_TEXT_CHARS, MAX_TITLE_CHARS


class Note(Message):
    type: Literal["artifact.note"] = "artifact.note"
    title: Annotated[str, Field(min_length=1, max_length=MAX_TITLE_CHARS)]
    body: Annotated[str, Field(min_length=1, max_length=MAX_ARTIFACT_TEXT_CHARS)]
