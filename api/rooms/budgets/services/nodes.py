"""Counters under lock, always leaf first: root first would make every caller of a workspace queue for longer."""

from uuid import UUID

from django.db import connection

from api.rooms.budgets.domain.places import NodeKind, Place
from api.rooms.budgets.domain.reservation import Standing
from api.rooms.budgets.models import Node

# LockRows works after the sort, so it takes the leaf first. All or nothing: taking the root while the leaf has no row
# yet would lock root first, and deadlock with whoever goes up from the leaf.
LOCK_SQL = """
SELECT id, kind, limit_micros, spent_micros, held_micros FROM budgets_node
WHERE id = ANY(%s) AND (SELECT count(*) FROM budgets_node WHERE id = ANY(%s)) = %s
ORDER BY array_position(%s, id) FOR NO KEY UPDATE
"""
MOVE_SQL = """
UPDATE budgets_node SET spent_micros = spent_micros + %s, held_micros = held_micros + %s WHERE id = ANY(%s)
"""


def ensure(place: Place) -> None:
    """Nodes come into being when they are first needed."""
    rows = [Node(id=node.id, kind=node.kind, parent_id=node.parent_id) for node in reversed(place.nodes())]
    Node.objects.bulk_create(rows, ignore_conflicts=True)


def lock(place: Place) -> tuple[Standing, ...]:
    """The chain of a place, leaf first, held until the transaction ends."""
    ids = [node.id for node in place.nodes()]
    found = _lock(ids)
    if not found:
        ensure(place)
        found = _lock(ids)
    return found


def _lock(ids: list[UUID]) -> tuple[Standing, ...]:
    with connection.cursor() as cursor:
        cursor.execute(LOCK_SQL, [ids, ids, len(ids), ids])
        rows = cursor.fetchall()
    return tuple(Standing(row[0], NodeKind(row[1]), *row[2:]) for row in rows)


def move(place: Place, spent_micros: int, held_micros: int) -> None:
    """Add to the counters of a chain that this transaction has locked."""
    if spent_micros or held_micros:
        with connection.cursor() as cursor:
            cursor.execute(MOVE_SQL, [spent_micros, held_micros, [node.id for node in place.nodes()]])
