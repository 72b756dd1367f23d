"""The database at one moment: what its manifest says, its dump, and whether a restored one says the same."""

import datetime as dt
import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict

from deploy.launcher import archive, binaries
from deploy.launcher.archive import Manifest
from deploy.launcher.refusal import Refusal

Database = psycopg.Connection[tuple[object, ...]]
TABLES = "SELECT tablename::text FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename"
HEADS = "SELECT id::text, next_seq, encode(head_hash, 'hex') FROM agent_sessions_session"
NOT_DENSE = """
SELECT s.id::text FROM agent_sessions_session s
LEFT JOIN agent_sessions_tombstone t ON t.session_id = s.id
LEFT JOIN LATERAL (
    SELECT count(*) AS there, min(seq) AS first, max(seq) AS last FROM session_events WHERE session_id = s.id
) e ON true
WHERE e.there <> s.next_seq - 1 - coalesce(t.last_seq, 0)
   OR (e.there > 0 AND (e.first <> coalesce(t.last_seq, 0) + 1 OR e.last <> s.next_seq - 1))
"""


@contextmanager
def held(url: str) -> Iterator[tuple[Database, str]]:
    """A transaction whose view others may share by the name that it exports."""
    with psycopg.connect(url, connect_timeout=10) as database:
        database.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        database.read_only = True
        row = database.execute("SELECT pg_export_snapshot()").fetchone()
        yield database, str(row[0]) if row else ""


def manifest(database: Database) -> Manifest:
    """What is there in the view of `database`."""
    return Manifest(
        format=archive.FORMAT,
        taken_at=dt.datetime.now(dt.UTC).isoformat(timespec="seconds"),
        server=database.info.parameter_status("server_version") or "",
        rows=rows(database),
        heads={str(key): (int(str(seq)), str(head)) for key, seq, head in database.execute(HEADS).fetchall()},
    )


def rows(database: Database) -> dict[str, int]:
    """How many, by table."""
    counted: dict[str, int] = {}
    for (name,) in database.execute(TABLES).fetchall():
        query = sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(str(name)))
        found = database.execute(query).fetchone()
        counted[str(name)] = int(str(found[0])) if found else 0
    return counted


def differences(url: str, wanted: Manifest) -> list[str]:
    """What a restored database says otherwise than its manifest, in words."""
    with psycopg.connect(url) as database:
        found = manifest(database)
        holed = [str(key) for (key,) in database.execute(NOT_DENSE.encode()).fetchall()]
    names = sorted(found.rows.keys() | wanted.rows.keys())
    told = [f"{name} has {found.rows.get(name)} rows, not {wanted.rows.get(name)}" for name in names]
    differing = [word for name, word in zip(names, told, strict=True) if found.rows.get(name) != wanted.rows.get(name)]
    heads = [f"the log of {key} ends otherwise" for key in wanted.heads if found.heads.get(key) != wanted.heads[key]]
    return [*differing, *heads, *(f"the log of {key} has holes" for key in holed)]


def dump(url: str, snapshot: str, file: Path) -> None:
    """Everything in the exported view, in PostgreSQL's custom format; roles and grants are each home's own."""
    options = ("-Fc", "--no-owner", "--no-privileges", "--no-comments", f"--snapshot={snapshot}", "-f", str(file))
    _run("pg_dump", options, url)


def listed(file: Path) -> str:
    """The dump's table of contents."""
    return _run("pg_restore", ("--list", str(file)))


def load(url: str, file: Path) -> None:
    """Fill an empty database, whole or not at all."""
    database = str(conninfo_to_dict(url)["dbname"])
    options = ("--no-owner", "--no-privileges", "--exit-on-error", "--single-transaction", "-d", database, str(file))
    _run("pg_restore", options, url)


def _run(program: str, options: Sequence[str], url: str = "") -> str:
    """What it printed. A URL holds a password: it goes by the environment, not by the list of processes."""
    parts = conninfo_to_dict(url)
    named = {"PGHOST": "host", "PGPORT": "port", "PGUSER": "user", "PGPASSWORD": "password", "PGDATABASE": "dbname"}
    environment = os.environ | {name: str(parts[key]) for name, key in named.items() if parts.get(key)}
    command = [str(binaries.postgres_program(program)), *options]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or ["no word"])[-1]
        raise Refusal(f"{program} failed and said “{last}”: correct that and try again.")
    return done.stdout
