"""Proposed actions, as values."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from api.rooms.actions.models import ProposedAction
from api.rooms.kernel.refusals import not_found
from contracts.actions import ActionStatus, ActionType


@dataclass(frozen=True)
class ActionCard:
    """`content` is exactly what would be done; `content_sha256` is what a decision names."""

    id: UUID
    project_id: UUID
    session_id: UUID
    agent: str
    action_type: ActionType
    title: str
    content: dict[str, Any]
    content_sha256: str
    status: ActionStatus
    reason: str
    decided_at: datetime | None
    created_at: datetime


def action(action_id: UUID) -> ActionCard:
    """Raises Refusal (`not_found`)."""
    row = ProposedAction.objects.filter(id=action_id, session__deleted_at=None).first()
    if row is None:
        raise not_found("action")
    return card(row)


def of_project(project_id: UUID) -> tuple[ActionCard, ...]:
    """The newest first."""
    rows = ProposedAction.objects.filter(project_id=project_id, session__deleted_at=None).order_by("-created_at", "-id")
    return tuple(card(row) for row in rows)


def card(row: ProposedAction) -> ActionCard:
    return ActionCard(
        id=row.id,
        project_id=row.project_id,
        session_id=row.session_id,
        agent=row.agent,
        action_type=ActionType(row.action_type),
        title=row.title,
        content=row.content,
        content_sha256=row.content_sha256,
        status=ActionStatus(row.status),
        reason=row.reason,
        decided_at=row.decided_at,
        created_at=row.created_at,
    )
