"""Set what may be spent in a workspace, a project or a session."""

from django.db import transaction

from api.rooms.budgets.domain.places import Place
from api.rooms.budgets.models import Node
from api.rooms.budgets.services import nodes
from api.rooms.kernel.refusals import Refusal
from contracts.problem import ProblemCode

MAX_LIMIT_MICROS = 10**15


@transaction.atomic
def set_limit(place: Place, limit_micros: int | None) -> None:
    """The limit of the deepest node that `place` names: null is no limit, 0 is zero. Holds that exist stay."""
    if limit_micros is not None and not 0 <= limit_micros <= MAX_LIMIT_MICROS:
        raise Refusal(
            ProblemCode.INVALID_PARAMETER,
            f"A limit is 0 to {MAX_LIMIT_MICROS} micros of a dollar, or null for no limit.",
            {"field": "limit_micros"},
        )
    nodes.ensure(place)
    Node.objects.filter(id=place.leaf.id).update(limit_micros=limit_micros)
