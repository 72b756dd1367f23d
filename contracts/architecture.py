"""What an architecture is made of, and how much of it there may be."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field, StringConstraints

from contracts.base import Message
from contracts.limits import (
    DEFAULT_CPUS,
    DEFAULT_MEMORY_MB,
    DEFAULT_PIDS,
    MAX_CPUS,
    MAX_IMAGE_CHARS,
    MAX_MEMORY_MB,
    MAX_MODULES,
    MAX_PIDS,
    MAX_SYSTEM_CHARS,
    MAX_SYSTEM_NAME_CHARS,
    MAX_TITLE_CHARS,
    MIN_RATIONALE_CHARS,
)

ModuleName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9-]{0,39}$")]
"""Canonical: lower case letters, digits and hyphens, so that it can name a branch and an agent too."""
Words = Annotated[str, Field(min_length=1, max_length=MAX_SYSTEM_CHARS)]
Short = Annotated[str, Field(min_length=1, max_length=MAX_TITLE_CHARS)]


class NewModule(Message):
    """As it is proposed; the workspace makes the names canonical."""

    name: Short
    stack: Short
    responsibility: Words
    depends_on: Annotated[tuple[Short, ...], Field(max_length=MAX_MODULES)] = ()


class Module(Message):
    """`depends_on` names other modules of the same map; no circle leads back (RN-013)."""

    name: ModuleName
    stack: Short
    responsibility: Words
    depends_on: tuple[ModuleName, ...] = ()


class NewModules(Message):
    modules: Annotated[tuple[NewModule, ...], Field(min_length=1, max_length=MAX_MODULES)]


class Network(StrEnum):
    """What the project's container may reach: nothing, or the outside."""

    NONE = "none"
    EGRESS = "egress"


class Resources(Message):
    """More than the most is an error, never silently less (RN-105)."""

    cpus: Annotated[int, Field(ge=1, le=MAX_CPUS)] = DEFAULT_CPUS
    memory_mb: Annotated[int, Field(ge=64, le=MAX_MEMORY_MB)] = DEFAULT_MEMORY_MB
    pids: Annotated[int, Field(ge=16, le=MAX_PIDS)] = DEFAULT_PIDS


class Image(Message):
    """A container image by an explicit tag or a digest; `latest` says nothing and is refused."""

    image: Annotated[str, Field(min_length=1, max_length=MAX_IMAGE_CHARS)]
    rationale: Annotated[str, Field(min_length=MIN_RATIONALE_CHARS, max_length=MAX_SYSTEM_CHARS)]
    network: Network = Network.NONE
    resources: Resources = Resources()


class ActorType(StrEnum):
    PERSON = "person"
    EXTERNAL_SYSTEM = "external_system"


class SystemActor(Message):
    """Who or what stands outside the system and uses it, or is used by it."""

    name: Annotated[str, Field(min_length=1, max_length=MAX_SYSTEM_NAME_CHARS)]
    type: ActorType
    description: Annotated[str, Field(max_length=MAX_SYSTEM_CHARS)] = ""


class SystemContext(Message):
    """What a C4 diagram is drawn from beside the module map (RN-149)."""

    system_name: Annotated[str, Field(min_length=1, max_length=MAX_SYSTEM_NAME_CHARS)]
    system_description: Annotated[str, Field(max_length=MAX_SYSTEM_CHARS)] = ""
    actors: Annotated[tuple[SystemActor, ...], Field(max_length=MAX_MODULES)] = ()
