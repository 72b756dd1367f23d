"""The statement that reserves decides as the rule does, for every chain of nodes that there can be."""

from uuid import UUID

import pytest
from django.db import transaction
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from api.rooms.budgets import services
from api.rooms.budgets.domain.metering import HoldKey
from api.rooms.budgets.domain.places import Place
from api.rooms.budgets.domain.reservation import Admitted, Standing, decide
from api.rooms.budgets.models import Hold, Node
from api.rooms.budgets.services import Held
from api.rooms.kernel.ids import new_id

MOST = 10**15
micros = st.integers(0, 200) | st.integers(0, MOST)
node = st.tuples(st.none() | micros, micros, micros)


def _chain(place: Place, figures: list[tuple[int | None, int, int]]) -> list[Standing]:
    made = []
    for spec, (limit, spent, held) in zip(place.nodes(), figures, strict=True):
        Node.objects.create(
            id=spec.id,
            kind=spec.kind,
            parent_id=spec.parent_id,
            limit_micros=limit,
            spent_micros=spent,
            held_micros=held,
        )
        made.append(Standing(spec.id, spec.kind, limit, spent, held))
    return made


def _held_now(ids: list[UUID]) -> list[int]:
    found = dict(Node.objects.filter(id__in=ids).values_list("id", "held_micros"))
    return [found[each] for each in ids]


@pytest.mark.django_db
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(figures=st.lists(node, min_size=3, max_size=3), amount=st.none() | micros)
@example(figures=[(None, 5, 5), (100, 60, 30), (0, 0, 0)], amount=10)
@example(figures=[(100, 60, 30), (100, 60, 30), (100, 60, 30)], amount=10)
@example(figures=[(None, 0, 0)] * 3, amount=None)
def test_the_statement_and_the_rule_agree(figures: list[tuple[int | None, int, int]], amount: int | None) -> None:
    place = Place(new_id(), new_id(), new_id())
    with transaction.atomic():
        chain = _chain(place, figures)
        ids, hold_id = [standing.id for standing in chain], new_id()
        expected = decide(chain, amount)
        found = services.reserve(hold_id, HoldKey(new_id(), 1, 0, 1), place, amount)
        is_held = isinstance(expected, Admitted)
        if isinstance(expected, Admitted):
            assert found == Held(hold_id, expected.amount_micros, is_new=True)
        else:
            assert found == expected
        assert Hold.objects.filter(id=hold_id).exists() is is_held
        more = (amount or 0) if is_held else 0
        assert _held_now(ids) == [held + more for _, _, held in figures]
