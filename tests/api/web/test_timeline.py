"""The timeline is read by seq: total, renewed where it changed, at a cost that does not grow with its length."""

import re
from collections.abc import Callable
from uuid import UUID

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from tests.factories.conversation import head, say, with_rule
from tests.factories.places import Place

Browser = Callable[[UUID], Client]


def seqs(html: str) -> list[int]:
    return [int(seq) for seq in re.findall(r'data-seq="(\d+)"', html)]


def fragment(client: Client, place: Place, query: str) -> str:
    response = client.get(f"/sessions/{place.session_id}/timeline?{query}", headers={"X-Fragment": "1"})
    assert response.status_code == 200
    return response.content.decode()


def test_the_page_shows_the_log_in_order(place: Place, signed_in: Browser) -> None:
    with_rule(place)
    html = signed_in(place.user_id).get(f"/sessions/{place.session_id}/").content.decode()
    assert seqs(html) == list(range(1, head(place.session_id) + 1))


def test_what_is_new_comes_with_what_it_changed(place: Place, signed_in: Browser) -> None:
    message = say(place)
    before = head(place.session_id)
    client = signed_in(place.user_id)
    assert seqs(fragment(client, place, f"after={before}")) == []
    with_rule(place)
    assert message.seq in seqs(fragment(client, place, f"after={before}"))


def test_earlier_pages_and_the_tail_make_the_whole(place: Place, signed_in: Browser) -> None:
    for number in range(5):
        worker = with_rule(place, f"Regra {number}")
        worker.answer()
        worker.release()
    for text in range(8):
        say(place, str(text))
    client = signed_in(place.user_id)
    last = head(place.session_id)
    assert seqs(fragment(client, place, f"before={last + 1}"))[-1] == last
    assert seqs(fragment(client, place, "before=1")) == []


@pytest.mark.parametrize("query", ["after=x", "after=-1", "before=99999999999999", "after=1.5", "after=²"])
def test_a_place_that_is_no_number_is_refused(query: str, place: Place, signed_in: Browser) -> None:
    response = signed_in(place.user_id).get(f"/sessions/{place.session_id}/timeline?{query}")
    assert response.status_code == 400


def test_the_cost_of_a_page_does_not_grow(
    place: Place, signed_in: Browser, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    client = signed_in(place.user_id)
    path = f"/sessions/{place.session_id}/"
    say(place)
    client.get(path)  # once, for what a process remembers of a session
    expected = queries_of(client, path)
    say(place)
    say(place)
    with django_assert_num_queries(expected):
        client.get(path)


def queries_of(client: Client, path: str) -> int:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as captured:
        client.get(path)
    return len(captured)
