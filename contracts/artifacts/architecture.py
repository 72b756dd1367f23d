"""What the Architect decides: modules, the project's image, the system from outside and inside, and insights."""

from typing import Annotated, Literal

from pydantic import Field

from contracts.architecture import Image, Module, SystemContext
from contracts.base import Message
from contracts.limits import MAX_ARTIFACT_TEXT_CHARS, MAX_MODULES, MAX_TITLE_CHARS

Version = Annotated[int, Field(ge=1, le=2**31 - 1)]


class ModuleMap(Message):
    """The highest version of a project is the one that holds (RN-065)."""

    type: Literal["artifact.module_map"] = "artifact.module_map"
    version: Version
    modules: Annotated[tuple[Module, ...], Field(min_length=1, max_length=MAX_MODULES)]


class ProjectImage(Image):
    """The image that the project's commands run in (RN-105)."""

    type: Literal["artifact.project_image"] = "artifact.project_image"
    version: Version


class C4Diagram(SystemContext):
    """Context and Container as Mermaid text, derived from the module map of `map_version` (RN-149)."""

    type: Literal["artifact.c4_diagram"] = "artifact.c4_diagram"
    version: Version
    map_version: Version
    context: str
    containers: str


class Insight(Message):
    """A tension between rules and architecture that somebody should know of; it decides nothing."""

    type: Literal["artifact.insight"] = "artifact.insight"
    title: Annotated[str, Field(min_length=1, max_length=MAX_TITLE_CHARS)]
    description: Annotated[str, Field(min_length=1, max_length=MAX_ARTIFACT_TEXT_CHARS)]
