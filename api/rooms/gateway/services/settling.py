"""End a try in one transaction: row, hold, usage, kept frame; the next try opens in the same one."""

import json
from dataclasses import replace
from uuid import UUID

from django.db import transaction

from api.rooms.agents import services as agents
from api.rooms.budgets import services as budgets
from api.rooms.gateway.domain.attempts import CallStatus
from api.rooms.gateway.domain.endings import CutReason, Ending
from api.rooms.gateway.models import Call
from api.rooms.gateway.services import bills, measuring, stop_receipts, waits
from api.rooms.gateway.services.fallbacks import tell_fallback
from api.rooms.gateway.services.holding import hold_and_record
from api.rooms.gateway.services.opened import Opened
from api.rooms.kernel import statements
from api.rooms.kernel.refusals import Refusal
from api.rooms.kernel.statements import Answer
from contracts.routes.model import Final

END_SQL = """
UPDATE gateway_call SET status = %s, text = %s, wire_ids = %s, kept_frame = %s, ended_at = now()
WHERE id = %s AND status = 'open'
"""
END_UNMARKED_SQL = END_SQL + "AND closed_at IS NULL"


def settle(opened: Opened, ending: Ending) -> Final:
    """Settled before the frame goes out. Whoever closed the row first decides what else is written."""
    final = bills.final_of(opened, ending)
    try:
        with transaction.atomic():
            _end_and_pay(opened, ending, final)
    except _Closed:
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
    try:
        with transaction.atomic():
            agents.fence(opened.instance_id, opened.call.epoch, opened.call.turn_id)
            _end_and_pay(opened, ending, None)
            again = _reopened(opened, following, wait, is_elsewhere=instead is not None)
            if again is None:
                _keep(opened, bills.final_of(opened, ending))
    except (Refusal, _Closed):
        return settle(opened, ending)  # a stale worker gets no further try; what this one cost is settled
    measuring.count(opened, ending, bills.cost_of(opened, ending))
    return again or bills.final_of(opened, ending)


def _reopened(opened: Opened, following: Opened, wait: waits.Wait, *, is_elsewhere: bool) -> Opened | None:
    """Null when there is not enough left for another try."""
    if hold_and_record(following) is not None:
        return None
    waits.note(following.call_id, wait)
    if is_elsewhere:
        tell_fallback(opened, following)
    return following


class _Closed(Exception):
    """Somebody else closed the row first."""


def _end_and_pay(opened: Opened, ending: Ending, final: Final | None) -> None:
    """Raises _Closed, after which the transaction must not stand."""
    if ending.status is CallStatus.RELEASED:
        is_ours = _ending(opened, ending, final, END_UNMARKED_SQL).changed() == 1
        budgets.release(opened.call_id)
    else:
        with statements.together():
            ended = _ending(opened, ending, final, END_UNMARKED_SQL)
            budgets.Settling(opened.call_id, bills.metering_of(opened, ending))
        is_ours = ended.changed() == 1
    if not is_ours:
        raise _Closed


def _ending(opened: Opened, ending: Ending, final: Final | None, statement: str) -> Answer:
    """Compare-and-set from open. No lock is taken before it, so that a Stop which holds the session is waited for."""
    kept = final.model_dump_json() if final is not None and ending.is_kept else None
    wire_ids = json.dumps(ending.wire_ids)
    return statements.send(statement, [ending.status, ending.message.content, wire_ids, kept, opened.call_id])


def _keep(opened: Opened, final: Final) -> None:
    Call.objects.filter(id=opened.call_id).update(kept_frame=final.model_dump_json())


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
        if reason == CutReason.STOPPED and _ending(opened, ending, final, END_SQL).changed() == 1:
            _pay(opened, ending)
            measuring.count(opened, ending, bills.cost_of(opened, ending))
            if is_readable:
                stop_receipts.write(opened.call_id)
        else:
            budgets.settle(opened.call_id, bills.metering_of(opened, ending))
    return final
