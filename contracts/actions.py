"""What an agent proposes to do outside the workspace: nothing of it happens before a person decided."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field, StringConstraints

from contracts.base import Message
from contracts.limits import MAX_ARTIFACT_TEXT_CHARS, MAX_MODULES, MAX_TITLE_CHARS

Hash = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
"""SHA-256 of exactly what was shown."""
FileSlug = Annotated[str, StringConstraints(pattern=r"^[a-z0-9](?:[a-z0-9-]{0,78}[a-z0-9])?$")]


class ActionType(StrEnum):
    OPEN_ADR_PR = "open_adr_pr"


class ActionStatus(StrEnum):
    PENDING = "pending"
    APPROVED = "approved"
    DENIED = "denied"


class Adr(Message):
    """An architecture decision record. No modules: it concerns all of them."""

    title: Annotated[str, Field(min_length=1, max_length=MAX_TITLE_CHARS)]
    slug: FileSlug
    content: Annotated[str, Field(min_length=1, max_length=MAX_ARTIFACT_TEXT_CHARS)]
    modules: Annotated[tuple[str, ...], Field(max_length=MAX_MODULES)] = ()
    is_security_relevant: bool = False
    is_infra_relevant: bool = False
