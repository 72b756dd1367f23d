"""Reading limits, holds and what was spent."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from uuid import UUID

from django.db.models import Count, Q, QuerySet, Sum
from django.db.models.functions import Now

from api.rooms.budgets.domain.places import NodeKind, Place
from api.rooms.budgets.domain.reservation import Standing
from api.rooms.budgets.models import Hold, Node, TokenUsage
from contracts.money import Usage

BUCKETS = ("uncached_input", "cache_read", "cache_write", "output", "reasoning")


@dataclass(frozen=True)
class Total:
    """`estimated_micros` is the part of the cost that rests on an estimate; unpriced calls are in no sum of money."""

    label: str
    calls: int
    usage: Usage
    cost_micros: int
    estimated_calls: int
    estimated_micros: int
    unpriced_calls: int
    rehearsal_calls: int


@dataclass(frozen=True)
class Spend:
    total: Total
    by_agent: tuple[Total, ...]
    by_model: tuple[Total, ...]
    by_session: tuple[Total, ...]


@dataclass(frozen=True)
class CallsSpend:
    """What some calls used together; the cost is null when any of them was unpriced."""

    calls: int
    usage: Usage
    cost_micros: int | None


def budget_of(place: Place) -> tuple[Standing, ...]:
    """Limits and counters of a place and all above it, leaf first; a node without a row has spent nothing."""
    rows = {row.id: row for row in Node.objects.filter(id__in=[node.id for node in place.nodes()])}
    return tuple(_standing(node.id, node.kind, rows.get(node.id)) for node in place.nodes())


def tightest(place: Place) -> Standing | None:
    """The limit that will be met first; null where nothing is limited."""
    limited = [node for node in budget_of(place) if node.left_micros is not None]
    return min(limited, key=lambda node: node.left_micros or 0, default=None)


def _standing(node_id: UUID, kind: NodeKind, row: Node | None) -> Standing:
    if row is None:
        return Standing(node_id, kind, None, 0, 0)
    return Standing(node_id, kind, row.limit_micros, row.spent_micros, row.held_micros)


def spend(project_id: UUID, since: datetime | None = None, until: datetime | None = None) -> Spend:
    """A project's spend in [since, until): totals, and the same by agent, by model and by session."""
    rows = TokenUsage.objects.filter(project_id=project_id)
    if since is not None:
        rows = rows.filter(created_at__gte=since)
    if until is not None:
        rows = rows.filter(created_at__lt=until)
    return Spend(
        total=_whole(rows),
        by_agent=_split(rows, "agent"),
        by_model=_split(rows, "provider", "model"),
        by_session=_split(rows, "session_id"),
    )


def session_spend(session_id: UUID) -> Total:
    return _whole(TokenUsage.objects.filter(session_id=session_id))


def spend_of(hold_ids: tuple[UUID, ...]) -> CallsSpend:
    """These calls, by the ids of their holds."""
    return _together(TokenUsage.objects.filter(hold_id__in=hold_ids))


def _together(rows: QuerySet[TokenUsage]) -> CallsSpend:
    total = _whole(rows)
    return CallsSpend(total.calls, total.usage, None if total.unpriced_calls else total.cost_micros)


def expired_holds(limit: int) -> tuple[UUID, ...]:
    """Open holds that nobody renewed, oldest first, by the database's clock."""
    rows = Hold.objects.filter(status=Hold.OPEN, expires_at__lt=Now()).order_by("expires_at")
    return tuple(rows.values_list("id", flat=True)[:limit])


def sums() -> dict[str, object]:
    return {
        "calls": Count("id"),
        "cost": Sum("cost_micros"),
        "estimated_calls": Count("id", filter=Q(is_estimated=True)),
        "estimated_cost": Sum("cost_micros", filter=Q(is_estimated=True)),
        "unpriced_calls": Count("id", filter=Q(cost_micros=None)),
        "rehearsal_calls": Count("id", filter=Q(is_rehearsal=True)),
        **{f"sum_{bucket}": Sum(bucket) for bucket in BUCKETS},
    }


def _whole(rows: QuerySet[TokenUsage]) -> Total:
    return total_of("", rows.aggregate(**sums()))


def _split(rows: QuerySet[TokenUsage], *fields: str) -> tuple[Total, ...]:
    found: Iterable[dict[str, object]] = rows.values(*fields).annotate(**sums())
    totals = [total_of("/".join(str(row[field]) for field in fields), row) for row in found]
    return tuple(sorted(totals, key=lambda total: (-total.cost_micros, total.label)))


def total_of(label: str, row: dict[str, object]) -> Total:
    """Nothing found, and a sum of nothing, are zero."""
    figures = dict.fromkeys(sums(), 0)
    figures |= {name: int(value) for name, value in row.items() if isinstance(value, int | Decimal)}
    return Total(
        label=label,
        calls=figures["calls"],
        usage=Usage(
            **{bucket: figures[f"sum_{bucket}"] for bucket in BUCKETS}, estimated=figures["estimated_calls"] > 0
        ),
        cost_micros=figures["cost"],
        estimated_calls=figures["estimated_calls"],
        estimated_micros=figures["estimated_cost"],
        unpriced_calls=figures["unpriced_calls"],
        rehearsal_calls=figures["rehearsal_calls"],
    )
