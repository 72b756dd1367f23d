"""End a try in one transaction: row, hold, usage, kept frame; the next try opens in the same one."""

import json
from dataclasses import replace
from uuid import UUID

from django.db import transaction

from api.rooms.agents import services as agents
from api.rooms.budgets import services as budgets
from api.rooms.budgets.domain.metering import Metering
from api.rooms.gateway.domain import prices
from api.rooms.gateway.domain.attempts import CallStatus
from api.rooms.gateway.domain.endings import CutReason, Ending
from api.rooms.gateway.models import Call
from api.rooms.gateway.providers import PROVIDERS
from api.rooms.gateway.services import measuring, stop_receipts, waits
from api.rooms.gateway.services.fallbacks import tell_fallback
from api.rooms.gateway.services.holding import hold_and_record
from api.rooms.gateway.services.opened import Opened
from api.rooms.kernel import statements
from api.rooms.kernel.refusals import Refusal
from contracts.money import Bill
from contracts.routes.model import Final

END_SQL = """
UPDATE gateway_call SET status = %s, text = %s, wire_ids = %s, kept_frame = %s, ended_at = now()
WHERE id = %s AND status = 'open'
"""
END_UNMARKED_SQL = END_SQL + "AND closed_at IS NULL"


def final_of(opened: Opened, ending: Ending) -> Final:
    """The frame that the engine gets, and that is kept for its key."""
    return Final(
        attempt=opened.attempt,
        message=ending.message,
        finish=ending.finish,
        bill=Bill(
            usage=ending.usage,
            cost_micros=_cost(opened, ending),
            provider=opened.provider,
            model=opened.target.model,
            is_rehearsal=PROVIDERS[opened.provider].is_rehearsal,
        ),
        error=ending.error,
        is_repeated=opened.is_repeated,
    )


def settle(opened: Opened, ending: Ending) -> Final:
    """Settled before the frame goes out. Whoever closed the row first decides what else is written."""
    final = final_of(opened, ending)
    with transaction.atomic():
        if _end_row(opened, ending, final, is_unmarked=True):
            _pay(opened, ending)
            return final
    return _settle_closed(opened, ending, final)


def settle_and_reopen(
    opened: Opened, ending: Ending, next_id: UUID, wait: waits.Wait, *, instead: Opened | None = None
) -> Opened | Final:
    """A failed try is settled and the next one holds its money in the same transaction, or none of it happens.

    `wait` is kept with the next try. `instead` is the same call for another model: where it went is a durable event.
    """
    following = replace(instead or opened, call_id=next_id, attempt=opened.attempt + 1)
    try:
        with transaction.atomic():
            agents.fence(opened.instance_id, opened.call.epoch, opened.call.turn_id)
            if _end_row(opened, ending, None, is_unmarked=True):
                _pay(opened, ending)
                if hold_and_record(following) is None:
                    waits.note(next_id, wait)
                    if instead is not None:
                        tell_fallback(opened, following)
                    return following
                _keep(opened, final_of(opened, ending))
                return final_of(opened, ending)
    except Refusal:
        pass  # a stale worker gets no further try; what this one cost is settled below
    return settle(opened, ending)


def _end_row(opened: Opened, ending: Ending, final: Final | None, *, is_unmarked: bool) -> bool:
    """Compare-and-set from open. No lock is taken before it, so that a Stop which holds the session is waited for."""
    kept = final.model_dump_json() if final is not None and ending.is_kept else None
    wire_ids = json.dumps(ending.wire_ids)
    statement = END_UNMARKED_SQL if is_unmarked else END_SQL
    return statements.changed(statement, [ending.status, ending.message.content, wire_ids, kept, opened.call_id]) == 1


def _keep(opened: Opened, final: Final) -> None:
    Call.objects.filter(id=opened.call_id).update(kept_frame=final.model_dump_json())


def _pay(opened: Opened, ending: Ending) -> None:
    measuring.count(opened, ending, _cost(opened, ending))
    if ending.status is CallStatus.RELEASED:
        budgets.release(opened.call_id)
    else:
        budgets.settle(opened.call_id, metering(opened, ending))


def _settle_closed(opened: Opened, ending: Ending, final: Final) -> Final:
    """The row was closed under us: by a Stop, whose papers we write; or it is lost, and our figures replace a guess."""
    reason = Call.objects.values_list("closed_reason", flat=True).get(id=opened.call_id)
    with transaction.atomic():
        is_readable = reason == CutReason.STOPPED and stop_receipts.lock(opened.session_id)
        if reason == CutReason.STOPPED and _end_row(opened, ending, final, is_unmarked=False):
            _pay(opened, ending)
            if is_readable:
                stop_receipts.write(opened.call_id)
        else:
            budgets.settle(opened.call_id, metering(opened, ending))
    return final


def _cost(opened: Opened, ending: Ending) -> int | None:
    return None if opened.price is None else prices.cost(opened.price, ending.usage)


def metering(opened: Opened, ending: Ending) -> Metering:
    used = ending.usage
    tokens_in = used.uncached_input + used.cache_read + used.cache_write
    return Metering(
        usage=used,
        cost_micros=_cost(opened, ending),
        rates=opened.price.rates_for(tokens_in) if opened.price else None,
        provider=opened.provider,
        model=opened.target.model,
        agent=opened.agent,
        turn_id=opened.call.turn_id,
        outcome=ending.outcome,
        is_rehearsal=PROVIDERS[opened.provider].is_rehearsal,
        error_code=ending.error.code.value if ending.error else "",
        binding_origin=opened.binding_origin,
        upstream=ending.upstream,
        latency_ms=ending.latency_ms,
        first_token_ms=ending.first_token_ms,
    )
