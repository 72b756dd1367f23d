"""Turn a hold into spend, exactly once; an estimate that was booked gives way to the real figure."""

from dataclasses import dataclass, replace
from uuid import UUID

from django.db import transaction

from api.rooms.budgets.domain.metering import Metering
from api.rooms.budgets.models import Hold, TokenUsage
from api.rooms.budgets.services import nodes
from api.rooms.budgets.services.holds import TakenHold, end, place_of, take
from api.rooms.kernel import statements


@dataclass(frozen=True)
class Settled:
    """`is_overshot` says that the call cost more than was held for it."""

    cost_micros: int | None
    is_overshot: bool


@transaction.atomic(savepoint=False)
def settle(hold_id: UUID, metering: Metering) -> Settled | None:
    """spent += actual, held -= amount, one usage row. After a booking the difference is moved instead.

    None when the hold was settled or released before: the caller's figures change nothing.
    """
    hold = take(hold_id, Hold.OPEN, Hold.BOOKED)
    if hold is None:
        return None
    place, cost = place_of(hold), metering.cost_micros or 0
    nodes.lock(place)
    if hold.status == Hold.OPEN:
        nodes.move(place, cost, -hold.amount_micros)
    else:
        nodes.move(place, cost - hold.booked_micros, 0)
    is_overshot = cost > hold.amount_micros
    _write_usage(hold, metering, is_overshot=is_overshot)
    end(hold_id, Hold.SETTLED)
    return Settled(metering.cost_micros, is_overshot)


@transaction.atomic(savepoint=False)
def book(hold_id: UUID, metering: Metering) -> bool:
    """Count a call that nobody settled as spent at its worst case: giving it back and settling late would overspend.

    The caller's metering says the usage; the cost is the held amount. False when the hold was no longer open.
    """
    hold = take(hold_id, Hold.OPEN)
    if hold is None:
        return False
    place = place_of(hold)
    nodes.lock(place)
    nodes.move(place, hold.amount_micros, -hold.amount_micros)
    cost = None if hold.is_unpriced else hold.amount_micros
    _write_usage(hold, replace(metering, cost_micros=cost), is_overshot=False)
    end(hold_id, Hold.BOOKED, booked_micros=hold.amount_micros)
    return True


def _write_usage(hold: TakenHold, metering: Metering, *, is_overshot: bool) -> None:
    values = {**_owners(hold, metering), **_figures(metering), "is_overshot": is_overshot}
    if hold.status == Hold.BOOKED:
        TokenUsage.objects.filter(hold_id=hold.id).update(**values)
    else:
        statements.create(TokenUsage, {"hold_id": hold.id, **values})


def _owners(hold: TakenHold, metering: Metering) -> dict[str, object]:
    return {
        "workspace_id": hold.workspace_id,
        "project_id": hold.project_id,
        "session_id": hold.session_id,
        "instance_id": hold.instance_id,
        "turn_id": metering.turn_id,
        "agent": metering.agent,
        "provider": metering.provider,
        "model": metering.model,
        "upstream": metering.upstream,
        "binding_origin": metering.binding_origin,
        "is_rehearsal": metering.is_rehearsal,
    }


def _figures(metering: Metering) -> dict[str, object]:
    usage, rates = metering.usage, metering.rates
    return {
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
        "outcome": metering.outcome,
        "error_code": metering.error_code,
        "latency_ms": metering.latency_ms,
        "first_token_ms": metering.first_token_ms,
    }
