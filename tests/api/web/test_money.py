"""Money on the pages: what was spent, as chart, table and file; limits that people set, change and remove."""

from collections.abc import Callable
from dataclasses import replace
from uuid import UUID

import pytest
from django.test import Client
from django.utils import translation

from api.rooms.budgets import selectors, services
from api.rooms.budgets.domain.metering import HoldKey
from api.rooms.budgets.domain.places import Place as Budgeted
from api.rooms.budgets.selectors import total_of
from api.rooms.budgets.services import Held
from api.rooms.kernel.ids import new_id
from api.surfaces.web import typed_money
from api.surfaces.web.chart import HEIGHT, chart, round_above
from api.surfaces.web.templatetags import figures
from contracts.vocabulary import Role
from tests.api.budgets.load import metering
from tests.factories.places import Place, new_member

Browser = Callable[[UUID], Client]


def budgeted(place: Place) -> Budgeted:
    return Budgeted(place.workspace_id, place.project_id, place.session_id)


def spent(place: Place, micros: int) -> None:
    held = services.reserve(new_id(), HoldKey(new_id(), 1, 0, 1), budgeted(place), micros)
    assert isinstance(held, Held)
    services.settle(held.hold_id, metering(micros))


def own_limit(place: Place) -> int | None:
    return selectors.budget_of(budgeted(place))[0].limit_micros


@pytest.mark.parametrize("language", ["en", "pt-br"])
def test_spend_is_shown_with_its_currency_and_a_table(language: str, place: Place, signed_in: Browser) -> None:
    spent(place, 2_500_000)
    page = (
        signed_in(place.user_id)
        .get(f"/projects/{place.project_id}/spend", headers={"Accept-Language": language})
        .content.decode()
    )
    amount = "US$ 2.50" if language == "en" else "US$ 2,50"
    assert (amount in page, '<svg class="chart"' in page, f"/sessions/{place.session_id}/" in page) == (True,) * 3


def test_nothing_spent_says_what_to_do(place: Place, signed_in: Browser) -> None:
    page = signed_in(place.user_id).get(f"/workspaces/{place.workspace_id}/spend?days=nonsense").content.decode()
    assert ("Nothing was spent in these days" in page, '<svg class="chart"' in page) == (True, False)


def test_the_file_has_one_row_of_figures_for_each_day(place: Place, signed_in: Browser) -> None:
    spent(place, 70)
    response = signed_in(place.user_id).get(f"/projects/{place.project_id}/spend?days=7&as=csv")
    rows = [line.split(",") for line in response.content.decode().splitlines()]
    assert (len(rows), rows[-1][1:]) == (8, ["1", "70", "0", "70", "0", "0"])


@pytest.mark.parametrize(("typed", "kept"), [("12.50", 12_500_000), ("0,5", 500_000), ("0", 0)])
def test_a_limit_is_kept_as_typed_with_point_or_comma(typed: str, kept: int, place: Place, signed_in: Browser) -> None:
    response = signed_in(place.user_id).post(f"/sessions/{place.session_id}/budget", {"limit": typed})
    assert (response.status_code, own_limit(place)) == (302, kept)


@pytest.mark.parametrize("typed", ["", "-1", "ten", "1e99", "NaN", "1,000.00", "1,000", "1.000"])
def test_what_is_no_limit_is_refused_and_stays_in_the_field(typed: str, place: Place, signed_in: Browser) -> None:
    services.set_limit(budgeted(place), 7)
    response = signed_in(place.user_id).post(f"/sessions/{place.session_id}/budget", {"limit": typed})
    shown = f'value="{typed}"' in response.content.decode()
    assert (response.status_code, shown, own_limit(place)) == (400, True, 7)


def test_a_limit_can_be_removed(place: Place, signed_in: Browser) -> None:
    services.set_limit(budgeted(place), 7)
    signed_in(place.user_id).post(f"/sessions/{place.session_id}/budget", {"remove": "1", "limit": "3"})
    assert own_limit(place) is None


def test_a_developer_sees_the_budget_and_changes_nothing(place: Place, signed_in: Browser) -> None:
    client = signed_in(new_member(place, Role.DEVELOPER))
    address = f"/projects/{place.project_id}/budget"
    shown, refused = client.get(address), client.post(address, {"limit": "1"})
    assert (shown.status_code, 'name="limit"' in shown.content.decode(), refused.status_code) == (200, False, 403)


def test_estimates_stand_on_what_is_exact_and_the_axis_ends_at_a_round_amount() -> None:
    days = [total_of("", {"cost": cost, "estimated_cost": part}) for cost, part in ((0, 0), (10, 4), (900_000, 1))]
    drawn = chart([replace(day, label=f"2026-03-1{at}") for at, day in enumerate(days)])
    assert (drawn.top_micros, drawn.half_micros) == (1_000_000, 500_000)
    assert [bar.exact_height + bar.estimated_height for bar in drawn.bars] == [0, 4, HEIGHT * 9 // 10 + 1]
    assert [bar.estimated_y + bar.estimated_height == bar.exact_y for bar in drawn.bars] == [True] * 3


@pytest.mark.parametrize(
    ("dearest", "top"), [(0, 10_000), (1, 1), (3, 5), (199, 200), (2_400, 2_500), (11_980_000, 20_000_000)]
)
def test_an_axis_ends_at_the_next_round_amount(dearest: int, top: int) -> None:
    assert round_above(dearest) == top


AMOUNTS = [
    (0, "0.00"),
    (340_000, "0.34"),
    (288_500, "0.2885"),
    (1_234_567, "1.23"),
    (100, "0.0001"),
    (12_000_000, "12.00"),
]


@pytest.mark.parametrize(("micros", "shown"), AMOUNTS)
def test_cents_are_enough_from_a_dollar_on_and_below_what_is_nothing_is_left_out(micros: int, shown: str) -> None:
    with translation.override("en"):
        assert figures.money(micros) == f"US$ {shown}"
    with translation.override("pt-br"):
        assert figures.money(micros) == f"US$ {shown.replace('.', ',')}"


def test_too_little_for_four_places_is_not_nothing() -> None:
    with translation.override("pt-br"):
        assert figures.money(99) == "< US$ 0,0001"


@pytest.mark.parametrize("micros", [0, 1, 1_250_000, 1_125_000, 12_500_000, 1_000_000_000, 1_234_567])
@pytest.mark.parametrize("language", ["en", "pt-br"])
def test_a_field_shows_what_it_would_read(micros: int, language: str) -> None:
    with translation.override(language):
        assert typed_money.read(typed_money.written(micros)) == micros
