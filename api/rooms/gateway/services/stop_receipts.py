"""What a Stop leaves in the log for a stream that it cut: the partial answer and the receipt."""

from uuid import UUID

from api.rooms.agent_sessions import services as agent_sessions
from api.rooms.budgets import selectors as budgets
from api.rooms.gateway.domain.attempts import CallStatus
from api.rooms.gateway.domain.endings import CutReason
from api.rooms.gateway.models import Call
from api.rooms.kernel.refusals import Refusal
from contracts.events import Actor, AgentResponse, TurnStopReceipt
from contracts.vocabulary import ActorKind

SYSTEM = Actor(kind=ActorKind.SYSTEM, id="gateway")


def lock(session_id: UUID) -> bool:
    """The session first of all locks. False when it was deleted meanwhile: then nobody reads a receipt."""
    try:
        agent_sessions.lock(session_id)
    except Refusal:
        return False
    return True


def write(call_id: UUID) -> None:
    """Under the session's lock, after the try was paid: one receipt for a turn, when its last stream has ended."""
    row = Call.objects.get(id=call_id)
    if row.text.strip() and row.is_for_people:
        actor = Actor(kind=ActorKind.AGENT, id=row.agent)
        partial = AgentResponse(turn_id=row.turn_id, iteration=row.iteration, content=row.text, is_partial=True)
        agent_sessions.append(row.session_id, actor, partial)
    if Call.objects.filter(turn_id=row.turn_id, status=CallStatus.OPEN).exists():
        return
    agent_sessions.append(row.session_id, SYSTEM, _receipt(row))


def _receipt(row: Call) -> TurnStopReceipt:
    stopped = Call.objects.filter(turn_id=row.turn_id, closed_reason=CutReason.STOPPED)
    spent = budgets.spend_of(tuple(stopped.values_list("id", flat=True)))
    closed, ended = row.closed_at, row.ended_at
    took = (ended - closed).total_seconds() if closed and ended else 0.0
    after = Call.objects.filter(turn_id=row.turn_id, opened_at__gt=closed).count() if closed else 0
    return TurnStopReceipt(
        turn_id=row.turn_id,
        close_ms=max(0, round(took * 1000)),
        usage=spent.usage,
        cost_micros=spent.cost_micros,
        calls_after=after,
    )
