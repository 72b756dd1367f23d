"""The log is the memory: dense, chained, append-only for the services, and one text from row to wire."""

import hashlib
import json

import pytest
from django.db import transaction

from api.rooms.agent_sessions import selectors as log
from api.rooms.agent_sessions import verifying
from api.rooms.agent_sessions.domain.chain import genesis, next_hash
from api.rooms.agent_sessions.models import Session, SessionEvent
from contracts.events import LogEvent
from tests.api.rooms.appending import append
from tests.factories.places import Place
from tests.factories.races import together


def test_fifty_appenders_at_once_leave_a_dense_and_linear_chain(lasting: Place) -> None:
    """RN_002."""
    events = together([lambda: append(lasting.session_id)] * 50)
    assert sorted(event.seq for event in events if isinstance(event, LogEvent)) == list(range(2, 52))
    rows = SessionEvent.objects.filter(session_id=lasting.session_id).order_by("seq")
    previous = genesis(lasting.session_id)
    for row in rows:
        previous = next_hash(previous, row.canonical)
        assert bytes(row.hash) == previous
    assert bytes(Session.objects.get(id=lasting.session_id).head_hash) == previous
    assert verifying.verify_log(lasting.session_id) is None


def test_an_append_that_is_rolled_back_leaves_no_gap(lasting: Place) -> None:
    def fails() -> None:
        with transaction.atomic():
            append(lasting.session_id)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fails()
    assert append(lasting.session_id).seq == 2


def test_the_canonical_text_is_what_is_hashed_and_what_the_generated_column_holds(place: Place) -> None:
    text = 'quotes " and \\ and é and 😀 and \u2028 and {"a": 1e22}'
    event = append(place.session_id, text)
    row = SessionEvent.objects.get(id=event.id)
    before = bytes(SessionEvent.objects.get(session_id=place.session_id, seq=event.seq - 1).hash)
    assert bytes(row.hash) == hashlib.sha256(before + row.canonical.encode()).digest()
    assert row.data == json.loads(row.canonical)
    assert LogEvent.model_validate_json(row.canonical) == event
    assert (row.type, row.actor_kind, row.actor_id, row.to_agent) == ("artifact.note", "system", "test", None)
    assert row.created_at == event.created_at


def test_a_page_of_the_log_is_the_canonical_texts(place: Place) -> None:
    append(place.session_id)
    texts = SessionEvent.objects.filter(session_id=place.session_id).order_by("seq").values_list("canonical", flat=True)
    assert log.raw_events(place.session_id, 0, 10).texts == tuple(texts)
