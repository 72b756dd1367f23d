"""How an architecture came to be what it is; its artifacts are events of their own."""

from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from contracts.architecture import ModuleName
from contracts.artifacts.architecture import Version
from contracts.backlog import Title
from contracts.base import Message
from contracts.codes import StoryCode
from contracts.limits import MAX_MODULES


class StoryModulesAssigned(Message):
    """Where a story is built; it replaces what was assigned before. None: that is open again."""

    type: Literal["backlog.story_modules_assigned"] = "backlog.story_modules_assigned"
    story_id: UUID
    code: StoryCode
    title: Title
    modules: Annotated[tuple[ModuleName, ...], Field(max_length=MAX_MODULES)]


class StoryDemoted(Message):
    """A new module map no longer has what the ready story is built in: it is a draft again (RN-012)."""

    type: Literal["backlog.story_demoted"] = "backlog.story_demoted"
    story_id: UUID
    code: StoryCode
    title: Title
    missing_modules: Annotated[tuple[ModuleName, ...], Field(min_length=1, max_length=MAX_MODULES)]


class ArchitectureConfirmed(Message):
    """A person said that the architecture holds; the Architect is woken by it and hands over (RN-145)."""

    type: Literal["architecture.readiness_confirmed"] = "architecture.readiness_confirmed"
    map_version: Version
