"""Hold a call's worst case: one statement that locks the chain, decides and holds."""

from dataclasses import dataclass
from uuid import UUID

from api.rooms.budgets.domain.metering import HoldKey
from api.rooms.budgets.domain.places import NodeKind, Place
from api.rooms.budgets.domain.reservation import Admitted, OverLimit, Standing, Unpriced, decide
from api.rooms.budgets.models import Hold
from api.rooms.budgets.services import nodes
from api.rooms.kernel import statements
from contracts.limits import HOLD_MS

# LockRows works after the sort, so it takes the leaf first. All or nothing: taking the root while the leaf has no row
# yet would lock root first, and deadlock with whoever goes up from the leaf. `refusing` is `reservation.decide`.
# The ids are named one by one: the driver needs longer for one array than for all the rest.
NODES = "(%(session)s, %(project)s, %(workspace)s)"
LEAF_FIRST = "array_position(ARRAY[%(session)s, %(project)s, %(workspace)s]::uuid[], id)"
RESERVE_SQL = f"""
WITH chain AS (
    SELECT id, kind, limit_micros, spent_micros, held_micros FROM budgets_node
    WHERE id IN {NODES} AND (SELECT count(*) FROM budgets_node WHERE id IN {NODES}) = 3
    ORDER BY {LEAF_FIRST} FOR NO KEY UPDATE
), refusing AS (
    SELECT * FROM chain
    WHERE limit_micros IS NOT NULL
      AND (%(is_unpriced)s OR spent_micros + held_micros + %(amount)s > limit_micros)
    ORDER BY {LEAF_FIRST} LIMIT 1
), held AS (
    INSERT INTO budgets_hold (id, instance_id, step, call, attempt, session_id, project_id, workspace_id,
                              amount_micros, is_unpriced, status, booked_micros, created_at, expires_at)
    SELECT %(hold)s, %(instance)s, %(step)s, %(call)s, %(attempt)s, %(session)s, %(project)s, %(workspace)s,
           %(amount)s, %(is_unpriced)s, 'open', 0, now(), now() + %(lives_ms)s * interval '1 millisecond'
    WHERE (SELECT count(*) FROM chain) = 3 AND NOT EXISTS (SELECT FROM refusing)
    ON CONFLICT (instance_id, step, call, attempt) DO NOTHING
    RETURNING id
), moved AS (
    UPDATE budgets_node SET held_micros = held_micros + %(amount)s
    WHERE id IN {NODES} AND EXISTS (SELECT FROM held) AND NOT %(is_unpriced)s
)
SELECT (SELECT count(*) FROM chain), (SELECT count(*) FROM held), refusing.*
FROM (SELECT) AS always LEFT JOIN refusing ON true
"""  # noqa: S608 - our own words


@dataclass(frozen=True)
class Held:
    """`is_new` is false when the key already had a hold: the first one stands."""

    hold_id: UUID
    amount_micros: int
    is_new: bool


class Reserving:
    """A reservation that was sent, alone or together with what comes after it."""

    def __init__(self, hold_id: UUID, key: HoldKey, place: Place, amount_micros: int | None) -> None:
        self._hold_id, self._key, self._amount = hold_id, key, amount_micros
        self._answer = statements.send(RESERVE_SQL, _values(hold_id, key, place, amount_micros))

    def outcome(self) -> Held | OverLimit | Unpriced | None:
        """Null when the chain of nodes does not exist yet: nothing was locked or held."""
        found, held, *refusing = self._answer.rows()[0]
        if not found:
            return None
        if held:
            return Held(self._hold_id, self._amount or 0, is_new=True)
        key = self._key
        of_key = Hold.objects.filter(
            instance_id=key.instance_id, step=key.step, call=key.call, attempt=key.attempt
        ).first()
        return Held(of_key.id, of_key.amount_micros, is_new=False) if of_key else self._refusal(*refusing)

    def _refusal(self, node_id: UUID, kind: str, limit: int, spent: int, held: int) -> OverLimit | Unpriced:
        decision = decide([Standing(node_id, NodeKind(kind), limit, spent, held)], self._amount)
        if isinstance(decision, Admitted):
            raise TypeError("the statement refused what the rule admits")
        return decision


def _values(hold_id: UUID, key: HoldKey, place: Place, amount_micros: int | None) -> dict[str, object]:
    if place.session_id is None:
        raise ValueError("a hold belongs to a session")
    return {
        "hold": hold_id,
        "instance": key.instance_id,
        "step": key.step,
        "call": key.call,
        "attempt": key.attempt,
        "session": place.session_id,
        "project": place.project_id,
        "workspace": place.workspace_id,
        "amount": amount_micros or 0,
        "is_unpriced": amount_micros is None,
        "lives_ms": HOLD_MS,
    }


def reserve(hold_id: UUID, key: HoldKey, place: Place, amount_micros: int | None) -> Held | OverLimit | Unpriced:
    """Reserve before a call. A refusal leaves nothing behind; `amount_micros` is null for an unpriced model.

    One statement: outside of a transaction it is its own.
    """
    outcome = Reserving(hold_id, key, place, amount_micros).outcome()
    if outcome is None:
        nodes.ensure(place)
        outcome = Reserving(hold_id, key, place, amount_micros).outcome()
    if outcome is None:
        raise RuntimeError("a chain of nodes that was just made is not there")
    return outcome
