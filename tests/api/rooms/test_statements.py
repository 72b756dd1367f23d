"""Plain statements: bound by the server, prepared after some uses, seen and refused as Django's own are."""

from collections.abc import Iterator
from uuid import UUID

import pytest
from django.db import DataError, IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from api.rooms.agent_sessions import services as agent_sessions
from api.rooms.agent_sessions.models import Session
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


def test_what_is_sent_together_is_done_in_its_order_and_answered_at_the_end(db: None) -> None:
    with statements.together():
        statements.send("CREATE TEMPORARY TABLE sent_together (number int)", [])
        statements.send("INSERT INTO sent_together SELECT generate_series(1, %s)", [3])
        touched = statements.send("UPDATE sent_together SET number = number + %s", [1])
        found = statements.send("SELECT sum(number) FROM sent_together", [])
    assert touched.changed() == 3
    assert found.row() == (9,)


def _send_one_that_fails(session_id: UUID) -> None:
    with transaction.atomic(), statements.together():
        statements.send("UPDATE agent_sessions_session SET name = 'Renamed' WHERE id = %s", [session_id])
        statements.send("SELECT 1 / %s", [0])
        statements.send("SELECT %s", [1])


def test_of_what_is_sent_together_nothing_stands_when_one_fails(place: Place) -> None:
    with pytest.raises(DataError):
        _send_one_that_fails(place.session_id)
    assert Session.objects.get(id=place.session_id).name is None


def test_numbers_of_every_size_are_one_statement(db: None) -> None:
    for number in (1, 2**20, 2**40) * USES:
        assert statements.row("SELECT %s + 0 AS of_one_width", [number]) == (number,)
    assert statements.row(PREPARED, ["%AS of_one_width"]) == (1,)


WRITING = f"SELECT pg_logical_emit_message(true, 'test', %s::text), {statements.EARLY}"
IS_ON_DISK = "SELECT pg_current_wal_flush_lsn() >= pg_current_wal_insert_lsn()"


@pytest.fixture
def durable(committed: None) -> Iterator[None]:
    """As in production: the tests' own server waits for no disk."""
    statements.send("SET synchronous_commit = on", [])
    yield
    statements.send("RESET synchronous_commit", [])


def _is_on_disk() -> bool:
    return statements.row(IS_ON_DISK, []) == (True,)


def test_what_lets_go_early_is_on_disk_when_it_returns(durable: None) -> None:
    def early() -> bool:
        statements.let_go_early(WRITING, ["early"])
        return _is_on_disk()

    def without_waiting() -> bool:
        statements.send(WRITING, ["without waiting"])
        return _is_on_disk()

    assert all(early() for _ in range(USES))
    assert not all(without_waiting() for _ in range(USES))


def test_inside_of_a_transaction_nothing_is_let_go_early(place: Place) -> None:
    with transaction.atomic(), pytest.raises(TypeError, match="without EARLY"):
        statements.let_go_early(f"SELECT {statements.EARLY}", [])
