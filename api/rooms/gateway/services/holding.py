"""Put down the hold and the row of one try, inside the transaction that begins it."""

from api.rooms.budgets import services as budgets
from api.rooms.budgets.domain.metering import HoldKey
from api.rooms.budgets.domain.reservation import OverLimit, Unpriced
from api.rooms.budgets.services import Held
from api.rooms.gateway.models import Call
from api.rooms.gateway.services.opened import Opened
from api.rooms.gateway.services.refused import refused
from api.rooms.kernel import statements
from contracts.failures import ErrorCode
from contracts.routes.model import Final


def hold_and_record(opened: Opened) -> Final | None:
    """The hold and the row of one try; a Final when there is not enough left, and then nothing is written."""
    held = _held(opened)
    about = {"agent": opened.agent, "provider": opened.provider, "model": opened.target.model}
    match held:
        case OverLimit():
            figures = {
                "node": held.kind.value,
                "limit_micros": str(held.limit_micros),
                "needed_micros": str(held.needed_micros),
                "left_micros": str(held.left_micros),
            }
            return refused(opened.attempt, ErrorCode.BUDGET_EXCEEDED, about | figures, is_repeated=opened.is_repeated)
        case Unpriced():
            figures = {"node": held.kind.value}
            return refused(opened.attempt, ErrorCode.MODEL_UNPRICED, about | figures, is_repeated=opened.is_repeated)
    return None


def _held(opened: Opened) -> Held | OverLimit | Unpriced:
    """Row and hold in one message; the row goes again where there is no hold."""
    key = HoldKey(opened.instance_id, opened.call.step, opened.call.call, opened.attempt)
    with statements.together():
        _record(opened)
        reserving = budgets.Reserving(opened.call_id, key, opened.place, opened.amount_micros)
    held = reserving.outcome() or budgets.reserve(opened.call_id, key, opened.place, opened.amount_micros)
    if not isinstance(held, Held):
        statements.send("DELETE FROM gateway_call WHERE id = %s", [opened.call_id])
    return held


def _record(opened: Opened) -> None:
    call = opened.call
    values = {
        "id": opened.call_id,
        "instance_id": opened.instance_id,
        "step": call.step,
        "call": call.call,
        "attempt": opened.attempt,
        "epoch": call.epoch,
        "session_id": opened.session_id,
        "project_id": opened.project_id,
        "workspace_id": opened.place.workspace_id,
        "turn_id": call.turn_id,
        "agent": opened.agent,
        "iteration": call.iteration,
        "is_for_people": call.is_for_people,
        "is_repeated": opened.is_repeated,
        "provider": opened.provider,
        "model": opened.target.model,
        "binding_origin": opened.binding_origin,
        "price": opened.price.dump() if opened.price else None,
        "body_bytes": opened.body_bytes,
        "max_output_tokens": call.max_output_tokens,
    }
    statements.create(Call, values)
