"""End a try in one transaction: row, hold, usage, kept frame; the next try opens in the same one."""

import json
from dataclasses import replace
from uuid import UUID

from django.db import transaction

from api.rooms.agents import services as agents
from api.rooms.budgets import services as budgets
from api.rooms.budgets.services import Guard
from api.rooms.gateway.domain.attempts import CallStatus
from api.rooms.gateway.domain.endings import CutReason, Ending
from api.rooms.gateway.models import Call
from api.rooms.gateway.services import bills, measuring, stop_receipts, waits
from api.rooms.gateway.services.fallbacks import tell_fallback
from api.rooms.gateway.services.holding import hold_and_record
from api.rooms.gateway.services.opened import Opened
from api.rooms.kernel import statements
from api.rooms.kernel.refusals import Refusal
from contracts.routes.model import Final

END_SQL = """
UPDATE gateway_call SET status = %(call_status)s, text = %(call_text)s, wire_ids = %(call_wire_ids)s,
    kept_frame = %(call_frame)s, ended_at = now()
WHERE id = %(call)s AND status = 'open'
"""
END_UNMARKED_SQL = END_SQL + "AND closed_at IS NULL"
RETURNING = " RETURNING true"


def settle(opened: Opened, ending: Ending) -> Final:
    """Settled before the frame goes out. Whoever closed the row first decides what else is written."""
    final = bills.final_of(opened, ending)
    if not _end_and_pay(opened, ending, final):
        return _settle_closed(opened, ending, final)
    measuring.count(opened, ending, bills.cost_of(opened, ending))
    return final


def settle_and_reopen(
    opened: Opened, ending: Ending, next_id: UUID, wait: waits.Wait, *, instead: Opened | None = None
) -> Opened | Final:
    """A failed try is settled and the next one holds its money in the same transaction, or none of it happens.

    `wait` is kept with the next try. `instead` is the same call for another model: where it went is a durable event.
    """
    following = replace(instead or opened, call_id=next_id, attempt=opened.attempt + 1)
    landed: Opened | Final | None = None
    try:
        with transaction.atomic():
            agents.fence(opened.instance_id, opened.call.epoch, opened.call.turn_id)
            if _end_and_pay(opened, ending, None):
                landed = _reopened(opened, ending, following, wait)
    except Refusal:
        pass  # a stale worker gets no further try; what this one cost is settled below
    if landed is None:
        return settle(opened, ending)
    measuring.count(opened, ending, bills.cost_of(opened, ending))
    return landed


def _reopened(opened: Opened, ending: Ending, following: Opened, wait: waits.Wait) -> Opened | Final:
    """The last word of this try where there is not enough left for another."""
    if hold_and_record(following) is not None:
        final = bills.final_of(opened, ending)
        Call.objects.filter(id=opened.call_id).update(kept_frame=final.model_dump_json())
        return final
    waits.note(following.call_id, wait)
    if (following.provider, following.target) != (opened.provider, opened.target):
        tell_fallback(opened, following)
    return following


def _end_and_pay(opened: Opened, ending: Ending, final: Final | None) -> bool:
    """False when somebody else closed the row first: then nothing was done. One statement where money was spent."""
    values = _ending(opened, ending, final)
    if ending.status is not CallStatus.RELEASED:
        guard = Guard(END_UNMARKED_SQL + RETURNING, values)
        return budgets.settle_if(guard, opened.call_id, bills.metering_of(opened, ending))
    with transaction.atomic():
        is_ours = statements.changed(END_UNMARKED_SQL, values) == 1
        if is_ours:
            budgets.release(opened.call_id)
    return is_ours


def _ending(opened: Opened, ending: Ending, final: Final | None) -> dict[str, object]:
    """Compare-and-set from open. No lock is taken before it, so that a Stop which holds the session is waited for."""
    return {
        "call": opened.call_id,
        "call_status": ending.status,
        "call_text": ending.message.content,
        "call_wire_ids": json.dumps(ending.wire_ids),
        "call_frame": final.model_dump_json() if final is not None and ending.is_kept else None,
    }


def _pay(opened: Opened, ending: Ending) -> None:
    if ending.status is CallStatus.RELEASED:
        budgets.release(opened.call_id)
    else:
        budgets.settle(opened.call_id, bills.metering_of(opened, ending))


def _settle_closed(opened: Opened, ending: Ending, final: Final) -> Final:
    """The row was closed under us: by a Stop, whose papers we write; or it is lost, and our figures replace a guess."""
    reason = Call.objects.values_list("closed_reason", flat=True).get(id=opened.call_id)
    with transaction.atomic():
        is_readable = reason == CutReason.STOPPED and stop_receipts.lock(opened.session_id)
        if reason == CutReason.STOPPED and statements.changed(END_SQL, _ending(opened, ending, final)) == 1:
            _pay(opened, ending)
            measuring.count(opened, ending, bills.cost_of(opened, ending))
            if is_readable:
                stop_receipts.write(opened.call_id)
        else:
            budgets.settle(opened.call_id, bills.metering_of(opened, ending))
    return final
