"""Threat 24: the services cannot change history, and whoever can is found out, by the chain or by an anchor."""

from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import InternalError, ProgrammingError, connection, transaction

from api.rooms.agent_sessions import anchoring, services, verifying
from api.rooms.agent_sessions.domain.anchors import BadAnchor
from api.rooms.agent_sessions.domain.chain import Broken, next_hash
from api.rooms.agent_sessions.models import Session, SessionEvent
from contracts.artifacts import Note
from contracts.events import Actor
from contracts.vocabulary import ActorKind
from tests.factories.places import new_place
from tests.factories.races import together
from tests.plugins.database import superuser_url

KEY = b"a key of the tests, 32 bytes long"
SYSTEM = Actor(kind=ActorKind.SYSTEM, id="test")
Harm = Callable[["psycopg.Connection[Any]", UUID], object]


def append(session_id: UUID, text: str = "x") -> None:
    services.append(session_id, SYSTEM, Note(title="note", body=text))


@pytest.fixture
def session_id(committed: None) -> UUID:
    """A log of ten."""
    found = new_place().session_id
    for number in range(9):
        append(found, f"x {number}")
    return found


def harm(session_id: UUID, act: Harm) -> None:
    """As somebody who may do everything: a superuser with triggers switched off."""
    with psycopg.connect(superuser_url()) as database:
        database.execute("SET session_replication_role = replica")
        act(database, session_id)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE session_events SET type = 'x'",
        "DELETE FROM session_events",
        "TRUNCATE session_events",
        "ALTER TABLE session_events DISABLE TRIGGER ALL",
        "DROP TRIGGER history_rows ON session_events",
        "SET session_replication_role = replica",
    ],
)
def test_the_services_role_changes_no_history(session_id: UUID, statement: str) -> None:
    with pytest.raises((ProgrammingError, InternalError)), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)
    assert verifying.verify_log(session_id) is None


def edit(database: "psycopg.Connection[Any]", session_id: UUID) -> None:
    database.execute(
        "UPDATE session_events SET canonical = replace(canonical, '\"x ', '\"y ') WHERE session_id = %s AND seq = 5",
        [session_id],
    )


def edit_a_column(database: "psycopg.Connection[Any]", session_id: UUID) -> None:
    database.execute("UPDATE session_events SET actor_id = 'eve' WHERE session_id = %s AND seq = 6", [session_id])


def edit_the_hash(database: "psycopg.Connection[Any]", session_id: UUID) -> None:
    database.execute("UPDATE session_events SET hash = '\\x00' WHERE session_id = %s AND seq = 4", [session_id])


def delete(database: "psycopg.Connection[Any]", session_id: UUID) -> None:
    database.execute("DELETE FROM session_events WHERE session_id = %s AND seq = 5", [session_id])


def delete_and_close_the_gap(database: "psycopg.Connection[Any]", session_id: UUID) -> None:
    delete(database, session_id)
    for seq in range(6, 11):
        database.execute(
            "UPDATE session_events SET seq = seq - 1 WHERE session_id = %s AND seq = %s", [session_id, seq]
        )
    database.execute("UPDATE agent_sessions_session SET next_seq = 10 WHERE id = %s", [session_id])


def insert_a_forged_one(database: "psycopg.Connection[Any]", session_id: UUID) -> None:
    """A fifth event with a hash that fits what is before it; the true fifth and all after it move up."""
    for seq in range(10, 4, -1):
        database.execute(
            "UPDATE session_events SET seq = seq + 1 WHERE session_id = %s AND seq = %s", [session_id, seq]
        )
    database.execute("UPDATE agent_sessions_session SET next_seq = 12 WHERE id = %s", [session_id])
    row = database.execute(
        "SELECT canonical, hash FROM session_events WHERE session_id = %s AND seq = 4", [session_id]
    ).fetchone()
    assert row is not None
    forged = row[0].replace('"seq":4', '"seq":5')
    database.execute(
        "INSERT INTO session_events (id, session_id, seq, type, actor_kind, actor_id, created_at, canonical, hash) "
        "SELECT gen_random_uuid(), session_id, 5, type, actor_kind, actor_id, created_at, %s, %s "
        "FROM session_events WHERE session_id = %s AND seq = 4",
        [forged, next_hash(bytes(row[1]), forged), session_id],
    )


def insert_beyond_the_head(database: "psycopg.Connection[Any]", session_id: UUID) -> None:
    database.execute(
        "INSERT INTO session_events (id, session_id, seq, type, actor_kind, actor_id, created_at, canonical, hash) "
        "SELECT gen_random_uuid(), session_id, 12, type, actor_kind, actor_id, created_at, canonical, hash "
        "FROM session_events WHERE session_id = %s AND seq = 4",
        [session_id],
    )


def reorder(database: "psycopg.Connection[Any]", session_id: UUID) -> None:
    for old, new in ((5, -1), (6, 5), (-1, 6)):
        database.execute(
            "UPDATE session_events SET seq = %s WHERE session_id = %s AND seq = %s", [new, session_id, old]
        )


def cut(database: "psycopg.Connection[Any]", session_id: UUID) -> None:
    database.execute("DELETE FROM session_events WHERE session_id = %s AND seq > 7", [session_id])


HARMS: list[tuple[Harm, Broken]] = [
    (edit, Broken(5, "altered")),
    (edit_a_column, Broken(6, "altered beside its text")),
    (edit_the_hash, Broken(4, "altered")),
    (delete, Broken(5, "missing")),
    (delete_and_close_the_gap, Broken(5, "moved here from another place")),
    (insert_a_forged_one, Broken(5, "inserted")),
    (insert_beyond_the_head, Broken(11, "inserted beyond the head")),
    (reorder, Broken(5, "moved here from another place")),
    (cut, Broken(8, "cut off before the head")),
]


@pytest.mark.parametrize(("act", "found"), HARMS, ids=lambda value: getattr(value, "__name__", ""))
def test_a_superuser_s_harm_is_named_by_its_first_bad_seq(session_id: UUID, act: Harm, found: Broken) -> None:
    harm(session_id, act)
    assert verifying.verify_log(session_id) == found


def cut_without_a_trace(database: "psycopg.Connection[Any]", session_id: UUID) -> None:
    cut(database, session_id)
    database.execute(
        "UPDATE agent_sessions_session SET next_seq = 8, head_hash = "
        "(SELECT hash FROM session_events WHERE session_id = %s AND seq = 7) WHERE id = %s",
        [session_id, session_id],
    )


def write_anew(database: "psycopg.Connection[Any]", session_id: UUID) -> None:
    """The whole chain after the fifth, which says something else now, is computed again."""
    edit(database, session_id)
    rows = database.execute(
        "SELECT seq, canonical, hash FROM session_events WHERE session_id = %s ORDER BY seq", [session_id]
    ).fetchall()
    digest = bytes(rows[3][2])
    for seq, canonical, _ in rows[4:]:
        digest = next_hash(digest, canonical)
        database.execute(
            "UPDATE session_events SET hash = %s WHERE session_id = %s AND seq = %s", [digest, session_id, seq]
        )
    database.execute("UPDATE agent_sessions_session SET head_hash = %s WHERE id = %s", [digest, session_id])


def remove_the_session(database: "psycopg.Connection[Any]", session_id: UUID) -> None:
    database.execute("DELETE FROM session_events WHERE session_id = %s", [session_id])
    database.execute("DELETE FROM agent_sessions_session WHERE id = %s", [session_id])


@pytest.mark.parametrize(
    ("act", "found"),
    [
        (cut_without_a_trace, Broken(8, "cut off: the anchor saw 10 events")),
        (write_anew, Broken(10, "another event than the anchor saw")),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_what_a_chain_cannot_see_an_anchor_does(session_id: UUID, tmp_path: Path, act: Harm, found: Broken) -> None:
    append(new_place().session_id)
    path = anchoring.write_anchor(tmp_path, KEY)
    harm(session_id, act)
    assert verifying.verify_log(session_id) is None
    assert [(head.session_id, bad) for head, bad in anchoring.verify_anchor(path, KEY)] == [(session_id, found)]


def test_a_session_that_is_gone_is_missed_by_the_anchor(session_id: UUID, tmp_path: Path) -> None:
    path = anchoring.write_anchor(tmp_path, KEY)
    harm(session_id, remove_the_session)
    assert [bad for _, bad in anchoring.verify_anchor(path, KEY)] == [
        Broken(1, "gone: its session is not there any more")
    ]


def test_a_log_that_grew_is_what_its_anchor_saw(session_id: UUID, tmp_path: Path) -> None:
    path = anchoring.write_anchor(tmp_path, KEY)
    append(session_id)
    assert list(anchoring.verify_anchor(path, KEY)) == []


def test_a_tombstone_is_respected(session_id: UUID, tmp_path: Path) -> None:
    path = anchoring.write_anchor(tmp_path, KEY)
    row = Session.objects.get(id=session_id)
    stone = (session_id, row.next_seq - 1, bytes(row.head_hash))

    def erase(database: "psycopg.Connection[Any]", _: UUID) -> None:
        database.execute("DELETE FROM session_events WHERE session_id = %s", [session_id])
        database.execute(
            "INSERT INTO agent_sessions_tombstone (session_id, last_seq, head_hash, reason) VALUES (%s, %s, %s, 'x')",
            stone,
        )

    harm(session_id, erase)
    append(session_id, "after")
    assert verifying.verify_log(session_id) is None
    assert list(anchoring.verify_anchor(path, KEY)) == []


@pytest.mark.parametrize("change", ["byte", "line", "key"])
def test_an_anchor_that_was_changed_is_not_believed(session_id: UUID, tmp_path: Path, change: str) -> None:
    path = anchoring.write_anchor(tmp_path, KEY)
    lines = path.read_text().splitlines(keepends=True)
    if change == "byte":
        path.write_text("".join(lines).replace(" 10 ", " 11 "))
    if change == "line":
        path.write_text("".join(line for line in lines if str(session_id) not in line))
    with pytest.raises(BadAnchor, match="signature"):
        list(anchoring.verify_anchor(path, b"another" if change == "key" else KEY))


def test_the_command_says_what_it_found(
    session_id: UUID, tmp_path: Path, settings: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    environment = settings.ENVIRONMENT.model_copy(update={"mutirao_anchor_key": KEY.decode()})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(settings, "ENVIRONMENT", environment)
        call_command("anchor_logs", "--to", str(tmp_path))
        (path,) = tmp_path.iterdir()
        call_command("verify_log", "--anchor", str(path))
        harm(session_id, cut_without_a_trace)
        with pytest.raises(CommandError, match="not whole"):
            call_command("verify_log", "--anchor", str(path))
    assert f"{session_id}: seq 8 is cut off: the anchor saw 10 events" in capsys.readouterr().err


def test_fifty_who_append_at_once_make_one_chain(committed: None) -> None:
    session_id = new_place().session_id
    together([lambda: append(session_id)] * 50)
    seqs = list(SessionEvent.objects.filter(session_id=session_id).order_by("seq").values_list("seq", flat=True))
    assert seqs == list(range(1, 52))
    assert verifying.verify_log(session_id) is None
