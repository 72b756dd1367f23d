"""Plain statements: bound by the server, prepared after some uses, seen and refused as Django's own are."""

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from api.rooms.agent_sessions import services as agent_sessions
from api.rooms.kernel import statements
from contracts.artifacts import Note
from contracts.events import Actor
from contracts.vocabulary import ActorKind
from tests.factories.places import Place

USES = 7
SYSTEM = Actor(kind=ActorKind.SYSTEM, id="test")
PREPARED = "SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE %s"


def test_a_statement_that_is_used_again_and_again_is_planned_once(db: None) -> None:
    for number in range(USES):
        assert statements.row("SELECT %s::int + 41 AS planned_once", [number]) == (number + 41,)
    assert statements.row(PREPARED, ["%AS planned_once"]) == (1,)


def test_its_errors_are_djangos(place: Place) -> None:
    columns = "id, session_id, seq, type, actor_kind, actor_id, created_at, canonical, hash"
    rows = f"SELECT {columns} FROM session_events WHERE session_id = %s"  # noqa: S608 - our own words
    with pytest.raises(IntegrityError), transaction.atomic():
        statements.changed(f"INSERT INTO session_events ({columns}) {rows}", [place.session_id])


def test_an_append_is_one_statement_and_alone_one_round_trip(lasting: Place) -> None:
    """No begin, no commit: it is its own transaction (ADR 0005)."""
    with CaptureQueriesContext(connection) as seen:
        agent_sessions.append(lasting.session_id, SYSTEM, Note(title="Note", body="x"))
    assert len(seen) == 1
    assert "INSERT INTO session_events" in seen[0]["sql"]
