"""What an operator may do to a row, and the record that it was done (threat 37)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import models, transaction

from api.rooms.kernel.models import OperatorAct

MAX_REASON = 1_000


@dataclass(frozen=True)
class Operator:
    """Who acts, and the reason that was given."""

    id: UUID
    email: str
    reason: str


@dataclass(frozen=True)
class Act:
    """`effect` says what will happen, before it happens; `perform` is a room's service."""

    name: str
    title: Any
    effect: Any
    perform: Callable[[Any, Operator], None]


@transaction.atomic
def perform(act: Act, row: models.Model, operator: Operator) -> None:
    """Both or neither: the deed and its record. A refusal leaves neither."""
    act.perform(row, operator)
    record(act.name, row, operator)


def record(name: str, row: models.Model, operator: Operator) -> None:
    """Inside the transaction of the deed."""
    OperatorAct.objects.create(
        actor_id=operator.id,
        actor=operator.email,
        act=name,
        subject_kind=row._meta.label_lower,  # noqa: SLF001 - Django's documented interface
        subject_id=str(row.pk),
        subject=str(row)[:200],
        reason=operator.reason[:MAX_REASON],
    )
