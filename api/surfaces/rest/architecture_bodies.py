"""The public bodies of an architecture and of proposed actions."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from pydantic import RootModel

from api.rooms.architecture.domain import c4
from api.rooms.architecture.selectors import Architecture
from api.rooms.backlog.pendencies import Pendency
from contracts.actions import ActionStatus, ActionType, Hash
from contracts.architecture import Image, Module
from contracts.artifacts.architecture import Version
from contracts.base import Message
from contracts.routes import architecture as routes


class C4Body(Message):
    """Mermaid text, derived from the module map that holds now."""

    system_name: str
    context: str
    containers: str


class InsightBody(Message):
    title: str
    description: str
    session_id: UUID
    seq: int


class ArchitectureBody(Message):
    """`map_version` 0: there is no module map yet."""

    map_version: int
    modules: tuple[Module, ...]
    confirmed_at: datetime | None
    image: Image | None
    c4: C4Body | None
    insights: tuple[InsightBody, ...]
    pendencies: tuple[routes.Pendency, ...]


class ConfirmationOf(Message):
    """The module map that you looked at: 409 `stale_version` when there is a newer one."""

    map_version: Version


class ApprovalOf(Message):
    content_sha256: Hash


class ActionBody(Message):
    """`content` is exactly what would be done; a decision names its `content_sha256`."""

    id: UUID
    project_id: UUID
    session_id: UUID
    agent: str
    action_type: ActionType
    title: str
    content: dict[str, Any]
    content_sha256: Hash
    status: ActionStatus
    reason: str
    decided_at: datetime | None
    created_at: datetime


class ActionList(RootModel[list[ActionBody]]):
    """What agents proposed, the newest first."""


def body_of(found: Architecture, open_places: Sequence[Pendency]) -> ArchitectureBody:
    drawn, image = found.c4, found.image
    return ArchitectureBody(
        map_version=found.map_version,
        modules=found.modules,
        confirmed_at=found.confirmed_at,
        image=Image(**image.model_dump(include=set(Image.model_fields))) if image else None,
        c4=C4Body(
            system_name=drawn.system_name, context=c4.context(drawn), containers=c4.containers(drawn, found.modules)
        )
        if drawn
        else None,
        insights=tuple(
            InsightBody(title=each.title, description=each.description, session_id=each.session_id, seq=each.seq)
            for each in found.insights
        ),
        pendencies=tuple(each.told() for each in open_places),
    )
