"""Turn a hold into spend, exactly once; an estimate that was booked gives way to the real figure."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from uuid import UUID

from django.db import connection, transaction

from api.rooms.budgets.domain.metering import Metering
from api.rooms.budgets.models import Hold
from api.rooms.budgets.services.holds import take
from api.rooms.kernel import statements
from api.rooms.kernel.ids import new_id

OWNERS = ("workspace_id", "project_id", "session_id", "instance_id")
FIGURES = (
    "turn_id", "agent", "provider", "model", "upstream", "binding_origin", "is_rehearsal",
    "uncached_input", "cache_read", "cache_write", "output", "reasoning", "is_estimated",
    "cost_micros", "input_rate", "cache_read_rate", "cache_write_rate", "output_rate",
    "outcome", "error_code", "latency_ms", "first_token_ms",
)  # fmt: skip
# The hold is locked first, then its chain from the leaf up, and only then is anything written: a second reservation
# under the key of a hold that is being written waits for it, with the chain in its hands. What a booking took is moved
# back.
SETTLE_SQL = f"""
WITH guard AS (
    {{guard}}
), hold AS (
    SELECT * FROM budgets_hold
    WHERE EXISTS (SELECT FROM guard) AND id = %(hold)s AND status IN ('open', %(or_from)s) FOR NO KEY UPDATE
), chain AS (
    SELECT node.id FROM hold
    JOIN budgets_node AS node ON node.id IN (hold.session_id, hold.project_id, hold.workspace_id)
    ORDER BY array_position(ARRAY[hold.session_id, hold.project_id, hold.workspace_id], node.id)
    FOR NO KEY UPDATE OF node
), moved AS (
    UPDATE budgets_node AS node
    SET spent_micros = node.spent_micros + %(spent)s
                     - CASE hold.status WHEN 'booked' THEN hold.booked_micros ELSE 0 END,
        held_micros = node.held_micros - CASE hold.status WHEN 'open' THEN hold.amount_micros ELSE 0 END
    FROM hold WHERE node.id IN (hold.session_id, hold.project_id, hold.workspace_id)
      AND (SELECT count(*) FROM chain) > 0
), metered AS (
    INSERT INTO budgets_tokenusage (id, hold_id, created_at, is_overshot, {", ".join((*OWNERS, *FIGURES))})
    SELECT %(id)s, id, now(), %(spent)s > amount_micros, {", ".join(OWNERS)},
           {", ".join(f"%({name})s" for name in FIGURES)} FROM hold
    ON CONFLICT (hold_id) DO UPDATE SET is_overshot = EXCLUDED.is_overshot,
        {", ".join(f"{name} = EXCLUDED.{name}" for name in FIGURES)}
), ended AS (
    UPDATE budgets_hold SET status = %(to)s, booked_micros = GREATEST(budgets_hold.booked_micros, %(booked)s)
    FROM hold WHERE budgets_hold.id = hold.id AND (SELECT count(*) FROM chain) > 0
)
SELECT EXISTS (SELECT FROM guard), (SELECT amount_micros FROM hold), {{how}}
"""  # noqa: S608 - our own words
ALWAYS = "SELECT true"
WITH_THE_REST = "'with the rest of its transaction'"


@dataclass(frozen=True)
class Guard:
    """A statement of the caller's that writes and returns a row where the hold may be settled, and none where not.

    It is done in the same statement as the settlement, and before it. Its parameters are named, unlike any of ours.
    """

    statement: str
    parameters: Mapping[str, object]


@dataclass(frozen=True)
class Settled:
    """`is_overshot` says that the call cost more than was held for it."""

    cost_micros: int | None
    is_overshot: bool


def settle(hold_id: UUID, metering: Metering) -> Settled | None:
    """spent += actual, held -= amount, one usage row. After a booking the difference is moved instead.

    None when the hold was settled or released before: the caller's figures change nothing.
    """
    _, amount = _settled(hold_id, metering, Guard(ALWAYS, {}))
    return None if amount is None else Settled(metering.cost_micros, (metering.cost_micros or 0) > amount)


def settle_if(guard: Guard, hold_id: UUID, metering: Metering) -> bool:
    """Whether the guard let it be settled; it stands with the settlement or not at all, outside a transaction too."""
    is_let, _ = _settled(hold_id, metering, guard)
    return is_let


def _settled(hold_id: UUID, metering: Metering, guard: Guard) -> tuple[bool, int | None]:
    ends = {"hold": hold_id, "or_from": Hold.BOOKED, "to": Hold.SETTLED, "booked": 0}
    values = {**ends, **_figures(metering), **guard.parameters}
    if connection.in_atomic_block:
        answer = statements.send(_guarded(guard.statement, WITH_THE_REST), values)
    else:
        answer = statements.let_go_early(_guarded(guard.statement, statements.EARLY), values)
    is_let, amount, _ = answer.rows()[0]
    return is_let, amount


@cache
def _guarded(guard: str, how: str) -> str:
    return SETTLE_SQL.format(guard=guard, how=how)


@transaction.atomic(savepoint=False)
def book(hold_id: UUID, metering: Metering) -> bool:
    """Count a call that nobody settled as spent at its worst case: giving it back and settling late would overspend.

    The caller's metering says the usage; the cost is the held amount. False when the hold was no longer open.
    """
    hold = take(hold_id)
    if hold is None:
        return False
    cost = None if hold.is_unpriced else hold.amount_micros
    values = {"hold": hold_id, "or_from": Hold.OPEN, "to": Hold.BOOKED, "booked": hold.amount_micros}
    statements.send(_guarded(ALWAYS, WITH_THE_REST), {**values, **_figures(replace(metering, cost_micros=cost))})
    return True


def _figures(metering: Metering) -> dict[str, object]:
    usage, rates = metering.usage, metering.rates
    return {
        "id": new_id(),
        "spent": metering.cost_micros or 0,
        "turn_id": metering.turn_id,
        "agent": metering.agent,
        "provider": metering.provider,
        "model": metering.model,
        "upstream": metering.upstream,
        "binding_origin": metering.binding_origin,
        "is_rehearsal": metering.is_rehearsal,
        "uncached_input": usage.uncached_input,
        "cache_read": usage.cache_read,
        "cache_write": usage.cache_write,
        "output": usage.output,
        "reasoning": usage.reasoning,
        "is_estimated": usage.estimated,
        "cost_micros": metering.cost_micros,
        "input_rate": rates.input if rates else None,
        "cache_read_rate": rates.cache_read if rates else None,
        "cache_write_rate": rates.cache_write if rates else None,
        "output_rate": rates.output if rates else None,
        "outcome": metering.outcome.value,
        "error_code": metering.error_code,
        "latency_ms": metering.latency_ms,
        "first_token_ms": metering.first_token_ms,
    }
