"""Whether a call may begin: its worst case must fit under every limit above it."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from api.rooms.budgets.domain.places import NodeKind


@dataclass(frozen=True)
class Standing:
    """A node's counters in micros. A null limit is no limit; a limit of zero lets nothing be spent."""

    id: UUID
    kind: NodeKind
    limit_micros: int | None
    spent_micros: int
    held_micros: int

    @property
    def left_micros(self) -> int | None:
        """What may still be held here; never negative, null without a limit."""
        if self.limit_micros is None:
            return None
        return max(0, self.limit_micros - self.spent_micros - self.held_micros)


@dataclass(frozen=True)
class Admitted:
    """The amount is to be added to `held` of every node."""

    amount_micros: int


@dataclass(frozen=True)
class OverLimit:
    """The node that is too small for the call, and by how much."""

    id: UUID
    kind: NodeKind
    limit_micros: int
    needed_micros: int
    left_micros: int


@dataclass(frozen=True)
class Unpriced:
    """A limit cannot be kept when the price is unknown, so it refuses."""

    id: UUID
    kind: NodeKind


Decision = Admitted | OverLimit | Unpriced


def decide(standings: Sequence[Standing], amount_micros: int | None) -> Decision:
    """`standings` are the locked nodes, leaf first; `amount_micros` is null for an unpriced call."""
    for node in standings:
        if node.limit_micros is None:
            continue
        if amount_micros is None:
            return Unpriced(node.id, node.kind)
        if node.spent_micros + node.held_micros + amount_micros > node.limit_micros:
            return OverLimit(node.id, node.kind, node.limit_micros, amount_micros, node.left_micros or 0)
    return Admitted(amount_micros or 0)
