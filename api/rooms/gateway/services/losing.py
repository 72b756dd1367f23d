"""Close tries that nobody will finish, and book them as spent: their owner is dead, asleep or not wanted any more."""

from uuid import UUID

from django.db.models.functions import Now

from api.rooms.budgets import services as budgets
from api.rooms.budgets.domain.metering import Metering, Outcome
from api.rooms.gateway.domain import prices, usage
from api.rooms.gateway.domain.attempts import CallStatus
from api.rooms.gateway.domain.endings import CutReason
from api.rooms.gateway.models import Call
from api.rooms.gateway.providers import PROVIDERS
from api.rooms.kernel import statements
from contracts.money import Usage

# Nearly every claim finds none: whoever opens one holds the session's lock, as a claim does.
ANY_OPEN_SQL = "SELECT 1 FROM gateway_call WHERE instance_id = %s AND status = 'open' AND closed_at IS NULL LIMIT 1"


def lose_open(instance_id: UUID, reason: CutReason, **only: int) -> tuple[UUID, ...]:
    """Mark and book the instance's open tries that match; those that a Stop has marked are left to their owner."""
    if statements.row(ANY_OPEN_SQL, [instance_id]) is None:
        return ()
    rows = list(
        Call.objects.select_for_update()
        .filter(instance_id=instance_id, status=CallStatus.OPEN, closed_at=None, **only)
        .order_by("id")
    )
    for row in rows:
        lose(row, reason)
    return tuple(row.id for row in rows)


def lose(row: Call, reason: CutReason) -> None:
    """The mark tells a living owner to end; the worst case is booked, and a late settle puts the real figure there."""
    Call.objects.filter(id=row.id).update(status=CallStatus.LOST, closed_at=Now(), closed_reason=reason, ended_at=Now())
    budgets.book(row.id, booking(row))


def booking(row: Call) -> Metering:
    """The meter of a try whose end nobody saw: everything that it could have used."""
    price = prices.load(row.price) if row.price else None
    worst = Usage(uncached_input=usage.input_bound(row.body_bytes), output=row.max_output_tokens, estimated=True)
    return Metering(
        usage=worst,
        cost_micros=prices.cost(price, worst) if price else None,
        rates=price.rates_for(worst.uncached_input) if price else None,
        provider=row.provider,
        model=row.model,
        agent=row.agent,
        turn_id=row.turn_id,
        outcome=Outcome.LOST,
        is_rehearsal=PROVIDERS[row.provider].is_rehearsal,
        binding_origin=row.binding_origin,
    )
