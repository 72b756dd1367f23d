"""History cannot be changed by the services, and a change by others is found."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

import psycopg
import pytest
from channels.layers import get_channel_layer
from django.db import connection, transaction
from psycopg import errors, sql
from pydantic import ValidationError

from api.rooms.agent_sessions import selectors as log
from api.rooms.agent_sessions import services as agent_sessions
from api.rooms.agent_sessions import verifying
from api.rooms.agent_sessions.broadcast import group_of
from api.rooms.agent_sessions.domain.chain import Broken
from api.rooms.agent_sessions.models import Session
from api.rooms.kernel.db import in_thread
from contracts.artifacts import Note
from contracts.events import ADDRESSED, EVENT_TYPES, ChatMessage, LogEvent
from tests.api.rooms.appending import SYSTEM, Harm, append
from tests.factories.conversation import head, say
from tests.factories.places import Place
from tests.plugins.database import superuser_url
from tests.plugins.services import SERVICES


def edit(database: Any, session_id: UUID) -> None:
    database.execute(
        "UPDATE session_events SET canonical = replace(canonical, 'x', 'y') WHERE session_id = %s AND seq = 5",
        [session_id],
    )


def delete(database: Any, session_id: UUID) -> None:
    database.execute("DELETE FROM session_events WHERE session_id = %s AND seq = 5", [session_id])


def insert(database: Any, session_id: UUID) -> None:
    database.execute("UPDATE session_events SET seq = seq + 1 WHERE session_id = %s AND seq = 10", [session_id])
    database.execute(
        "INSERT INTO session_events (id, session_id, seq, type, actor_kind, actor_id, created_at, canonical, hash) "
        "SELECT gen_random_uuid(), session_id, 10, type, actor_kind, actor_id, created_at, canonical, hash "
        "FROM session_events WHERE session_id = %s AND seq = 9",
        [session_id],
    )


def reorder(database: Any, session_id: UUID) -> None:
    for old, new in ((5, -1), (6, 5), (-1, 6)):
        database.execute(
            "UPDATE session_events SET seq = %s WHERE session_id = %s AND seq = %s", [new, session_id, old]
        )


def cut_tail(database: Any, session_id: UUID) -> None:
    database.execute("DELETE FROM session_events WHERE session_id = %s AND seq > 7", [session_id])


def cut_tail_and_mend_the_count(database: Any, session_id: UUID) -> None:
    cut_tail(database, session_id)
    database.execute("UPDATE agent_sessions_session SET next_seq = 8 WHERE id = %s", [session_id])


@pytest.mark.parametrize(
    ("harm", "found"),
    [
        (edit, Broken(5, "altered")),
        (delete, Broken(5, "missing")),
        (insert, Broken(10, "inserted")),
        (reorder, Broken(5, "moved here from another place")),
        (cut_tail, Broken(8, "cut off before the head")),
        (cut_tail_and_mend_the_count, Broken(7, "head does not match")),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_verify_log_names_the_first_bad_seq(lasting: Place, harm: Harm, found: Broken) -> None:
    for _ in range(9):
        append(lasting.session_id)
    with psycopg.connect(superuser_url()) as database:
        database.execute("SET session_replication_role = replica")
        harm(database, lasting.session_id)
    assert verifying.verify_log(lasting.session_id) == found


CHANGES = (
    "UPDATE session_events SET actor_id = 'x'",
    "DELETE FROM session_events",
    "TRUNCATE session_events",
)


@pytest.mark.parametrize("change", CHANGES)
def test_the_services_role_may_not_change_history_by_its_grants(committed: None, change: str) -> None:
    with psycopg.connect(SERVICES.cluster.app_url) as database, pytest.raises(errors.InsufficientPrivilege) as refused:
        database.execute(change)
    assert "permission denied" in str(refused.value)


@contextmanager
def granted() -> Iterator[psycopg.Connection[tuple[Any, ...]]]:
    """The services' role after somebody granted it too much."""
    role = sql.Identifier(str(psycopg.conninfo.conninfo_to_dict(SERVICES.cluster.app_url)["user"]))
    with psycopg.connect(superuser_url(), autocommit=True) as root:
        root.execute(sql.SQL("GRANT UPDATE, DELETE, TRUNCATE ON session_events TO {}").format(role))
        try:
            with psycopg.connect(SERVICES.cluster.app_url) as database:
                yield database
        finally:
            root.execute(sql.SQL("REVOKE UPDATE, DELETE, TRUNCATE ON session_events FROM {}").format(role))


@pytest.mark.parametrize("change", CHANGES)
def test_a_role_that_was_granted_too_much_is_stopped_by_the_trigger(lasting: Place, change: str) -> None:
    with granted() as database, pytest.raises(errors.InsufficientPrivilege) as refused:
        database.execute(change)
    assert "the event log is append-only" in str(refused.value)
    assert head(lasting.session_id) == 1


@pytest.mark.parametrize("change", CHANGES)
def test_even_the_superuser_is_stopped_unless_it_owns_the_table(lasting: Place, change: str) -> None:
    with psycopg.connect(superuser_url()) as database, pytest.raises(errors.InsufficientPrivilege):
        database.execute(change)


@pytest.mark.parametrize("bad", ["NUL \x00", "half \ud800", "\udfff"])
def test_what_the_database_would_refuse_is_refused_before_the_log(bad: str) -> None:
    with pytest.raises(ValidationError):
        Note(title="Note", body=bad)
    with pytest.raises(ValidationError):
        ChatMessage(text=bad, client_message_id="m")


def numbers_in(schema: object) -> list[object]:
    """Every place of a JSON schema that admits a float."""
    if isinstance(schema, dict):
        found = [schema] if schema.get("type") == "number" else []
        return found + [item for value in schema.values() for item in numbers_in(value)]
    return [item for value in schema for item in numbers_in(value)] if isinstance(schema, list) else []


@pytest.mark.parametrize("event_type", EVENT_TYPES)
def test_no_payload_admits_a_float(event_type: str) -> None:
    """The stored jsonb would change 1e22 and -0.0."""
    assert numbers_in(EVENT_TYPES[event_type].model_json_schema()) == []


@pytest.mark.parametrize("event_type", ADDRESSED)
def test_what_is_addressed_is_not_appended_past_the_inbox(event_type: str) -> None:
    payload = EVENT_TYPES[event_type].model_construct()
    with pytest.raises(ValueError, match=r"append it with agents\.deliver"):
        agent_sessions.append(UUID(int=0), SYSTEM, payload)  # type: ignore[arg-type]


async def test_an_event_is_broadcast_after_its_commit_and_not_before(lasting: Place) -> None:
    layer: Any = get_channel_layer()
    channel = await layer.new_channel()
    await layer.group_add(group_of(lasting.session_id), channel)
    first, second = await in_thread(append_in_the_middle)(lasting.session_id, channel)
    heard: list[str] = []
    while len(heard) < 2:  # what opened the session may still be on its way
        text = (await layer.receive(channel))["text"]
        heard += [text] if json.loads(text)["event"]["seq"] >= first.seq else []
    texts = await in_thread(log.raw_events)(lasting.session_id, first.seq - 1, 10)
    assert heard == [f'{{"kind":"event","event":{text}}}' for text in texts.texts]
    assert second.seq == first.seq + 1


def append_in_the_middle(session_id: UUID, channel: str) -> tuple[LogEvent, LogEvent]:
    """One append that is rolled back, then one in a transaction that says how many hints wait before its end."""
    with transaction.atomic():
        append(session_id, "never")
        transaction.set_rollback(True)
    with transaction.atomic():
        first = append(session_id)
        assert len(connection.run_on_commit) == 1
    return first, append(session_id)


def test_an_append_to_a_deleted_session_is_refused(place: Place) -> None:
    """A session that nobody can see takes nothing from people."""
    from api.rooms.kernel.refusals import Refusal

    Session.objects.filter(id=place.session_id).update(deleted_at="2026-01-01T00:00:00Z")
    with pytest.raises(Refusal):
        say(place)
