"""A prototype that can be walked through: for whom, along which ways, over which screens."""

from typing import Annotated, Literal

from pydantic import Field

from contracts.base import Message
from contracts.limits import MAX_ARTIFACT_TEXT_CHARS, MAX_LINE_CHARS, MAX_PROTOTYPE_PARTS, MAX_TITLE_CHARS

Name = Annotated[str, Field(min_length=1, max_length=MAX_TITLE_CHARS)]
Words = Annotated[str, Field(max_length=MAX_LINE_CHARS)]


class Persona(Message):
    name: Name
    goal: Annotated[str, Field(min_length=1, max_length=MAX_LINE_CHARS)]
    frustration: Words = ""


class Journey(Message):
    """What somebody does, step by step; a step may name a screen."""

    title: Name
    steps: Annotated[
        tuple[Annotated[str, Field(min_length=1, max_length=MAX_LINE_CHARS)], ...],
        Field(min_length=1, max_length=MAX_PROTOTYPE_PARTS),
    ]


class Element(Message):
    """What stands on a screen. `goes_to` names the screen that it leads to."""

    kind: Literal["heading", "text", "field", "button", "link", "list", "image"]
    label: Annotated[str, Field(min_length=1, max_length=MAX_LINE_CHARS)]
    goes_to: Annotated[str, Field(max_length=MAX_TITLE_CHARS)] = ""


class Screen(Message):
    name: Name
    description: Annotated[str, Field(min_length=1, max_length=MAX_LINE_CHARS)]
    elements: Annotated[tuple[Element, ...], Field(max_length=MAX_PROTOTYPE_PARTS)] = ()


class NewPrototype(Message):
    """At least one persona, one journey and one screen."""

    summary: Annotated[str, Field(min_length=1, max_length=MAX_ARTIFACT_TEXT_CHARS)]
    personas: Annotated[tuple[Persona, ...], Field(min_length=1, max_length=MAX_PROTOTYPE_PARTS)]
    journeys: Annotated[tuple[Journey, ...], Field(min_length=1, max_length=MAX_PROTOTYPE_PARTS)]
    screens: Annotated[tuple[Screen, ...], Field(min_length=1, max_length=MAX_PROTOTYPE_PARTS)]
    annotations: Annotated[str, Field(max_length=MAX_ARTIFACT_TEXT_CHARS)] = ""


class NavigablePrototype(NewPrototype):
    """The highest version of a project is the one that holds."""

    type: Literal["artifact.navigable_prototype"] = "artifact.navigable_prototype"
    version: Annotated[int, Field(ge=1, le=2**31 - 1)]
