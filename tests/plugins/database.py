"""The migrated database of the tests, and `committed` for what only shows after a commit."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg import sql
from pytest_django import DjangoDbBlocker

from tests.plugins.services import SERVICES

ROOT = Path(__file__).resolve().parents[2]
LOCK_TIMEOUT = "20s"

MIGRATED: dict[str, bytes] = {}


@pytest.fixture(scope="session")
def django_db_setup() -> None:
    """Migrate as the owner in a process of its own, then grant: Django here never holds the owner's role."""
    done = subprocess.run(
        [sys.executable, "-m", "deploy.launcher.schema", "migrate"],
        cwd=ROOT,
        env={**os.environ, **SERVICES.owner_variables()},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        pytest.exit(f"the database could not be migrated:\n{done.stdout}{done.stderr}", returncode=3)
    MIGRATED.update(rows_of_migrations())


@pytest.fixture
def committed(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """A test whose transactions really commit. pytest-django's own way truncates as the app role, which may not."""
    from django.db import connections

    with django_db_blocker.unblock():
        yield
        connections.close_all()
    empty_tables()


def rows_of_migrations() -> dict[str, bytes]:
    """The rows that migrations wrote, by table, as COPY gives them."""
    with psycopg.connect(superuser_url()) as database:
        return {table: rows for table in tables(database) if (rows := copied(database, table))}


def copied(database: psycopg.Connection[tuple[str]], table: str) -> bytes:
    """All rows of one table."""
    query = sql.SQL("COPY {} TO STDOUT").format(sql.Identifier(table))
    with database.cursor() as cursor, cursor.copy(query) as copy:
        return b"".join(bytes(block) for block in copy)


def empty_tables() -> None:
    """Truncate as the owner, then put back what migrations had written."""
    with psycopg.connect(SERVICES.cluster.owner_url) as database:
        database.execute(sql.SQL("SET lock_timeout = {}").format(LOCK_TIMEOUT))
        names = sql.SQL(", ").join(sql.Identifier(table) for table in tables(database))
        database.execute(sql.SQL("TRUNCATE {} RESTART IDENTITY CASCADE").format(names))
    with psycopg.connect(superuser_url()) as database, database.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")  # any order, and no triggers
        for table, rows in MIGRATED.items():
            with cursor.copy(sql.SQL("COPY {} FROM STDIN").format(sql.Identifier(table))) as copy:
                copy.write(rows)


def tables(database: psycopg.Connection[tuple[str]]) -> list[str]:
    """The tables that tests fill: all but the record of migrations."""
    rows = database.execute(
        "SELECT tablename::text FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'django_migrations'"
    )
    return [name for (name,) in rows.fetchall()]


def superuser_url() -> str:
    """The superuser's door to the database under test."""
    return SERVICES.cluster.url("postgres", SERVICES.cluster.superuser_password)
