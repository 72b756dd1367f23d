"""The public bodies, as the OpenAPI document shows them."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import Field, RootModel

from contracts.base import Message, Slug
from contracts.codes import EpicCode
from contracts.events import LogEvent
from contracts.limits import MAX_MESSAGE_CHARS, MAX_NAME_CHARS, MAX_REASON_CHARS
from contracts.vocabulary import HandoffStatus, Language, Role, SessionKind, SessionStatus

Name = Annotated[str, Field(min_length=1, max_length=MAX_NAME_CHARS)]


class WorkspaceBody(Message):
    id: UUID
    name: str
    role: Role
    time_zone: str


class NewProject(Message):
    workspace_id: UUID
    name: Name
    language: Language = Language.ENGLISH


class ProjectBody(Message):
    id: UUID
    name: str
    language: Language
    workspace_id: UUID
    workspace_name: str
    role: Role
    created_at: datetime


class NewSession(Message):
    """`kind` is intent, chosen at creation (RN-097)."""

    kind: SessionKind
    name: Annotated[str, Field(max_length=MAX_NAME_CHARS)] | None = None


class RenamedSession(Message):
    """Null removes the name."""

    name: Annotated[str, Field(max_length=MAX_NAME_CHARS)] | None


class SessionBody(Message):
    id: UUID
    project_id: UUID
    name: str | None
    kind: SessionKind
    status: SessionStatus
    created_at: datetime
    last_event_at: datetime
    last_seq: int


class NewMessage(Message):
    """`client_message_id` is yours: the same id again answers with the first event, another text is refused."""

    text: Annotated[str, Field(min_length=1, max_length=MAX_MESSAGE_CHARS)]
    client_message_id: Annotated[str, Field(min_length=1, max_length=64)]
    to_agent: Slug | None = None


class AgentChoice(Message):
    """Null: all running turns for a Stop, the agent that was held for a Continue."""

    agent: Slug | None = None


class HandTarget(Message):
    """The Story Editor needs the epic that the conversation is about."""

    to_agent: Slug
    epic: EpicCode | None = None


class Stopped(Message):
    """The turns that this Stop ended; empty when nothing ran."""

    turns: tuple[UUID, ...]


class Answers(Message):
    answers: dict[str, str]


class Rejection(Message):
    reason: Annotated[str, Field(min_length=1, max_length=MAX_REASON_CHARS)]


class HandoffBody(Message):
    id: UUID
    session_id: UUID
    from_agent: Slug
    to_agent: Slug
    status: HandoffStatus
    artifact_event_id: UUID | None
    offered_at: datetime
    decided_at: datetime | None
    decided_by_name: str
    reason: str
    is_superseded: bool
    is_activation_owed: bool


class EventBody(Message):
    """Null when nothing had to be written."""

    event: LogEvent | None


class EventsBody(Message):
    """A page in seq order; go on with `after` = the last seq."""

    events: tuple[LogEvent, ...]
    has_more: bool
    head_seq: int


class WorkspaceList(RootModel[list[WorkspaceBody]]):
    """All workspaces of the person."""


class ProjectList(RootModel[list[ProjectBody]]):
    """All projects of the person, newest first."""


class SessionList(RootModel[list[SessionBody]]):
    """All sessions of a project, last used first."""


class HandoffList(RootModel[list[HandoffBody]]):
    """All handoffs of a session, oldest first."""
