"""Rules beside a conversation lead to where they come from, also to another session."""

from collections.abc import Callable
from uuid import UUID

import pytest
from django.test import Client

from tests.factories.conversation import with_rule
from tests.factories.places import Place

pytestmark = pytest.mark.usefixtures("db")


def test_a_cited_rule_leads_to_where_it_was_recorded_first(place: Place, signed_in: Callable[[UUID], Client]) -> None:
    with_rule(place)
    other = place.another_session()
    with_rule(other)
    link = f'<a href="/sessions/{place.session_id}/#e-5">Recorded first in another session</a>'
    pages = [
        signed_in(place.user_id).get(f"/sessions/{session}/", headers={"Accept-Language": "en"}).content.decode()
        for session in (place.session_id, other.session_id)
    ]
    assert [page.count(link) for page in pages] == [0, 2]
