"""Connections of the pool: looked at before each use, and never a broken one in anybody's hands."""

from typing import Any

import psycopg
import pytest
from django.db import connection
from psycopg_pool import ConnectionPool

from api.rooms.kernel import statements
from tests.factories.races import until
from tests.plugins.services import SERVICES

USES = 20
pytestmark = pytest.mark.usefixtures("committed")


def _backend() -> int:
    found = statements.row("SELECT pg_backend_pid()", [])
    assert found is not None
    pid: int = found[0]
    return pid


def _is_alive(pid: int) -> bool:
    with psycopg.connect(SERVICES.cluster.superuser_url, autocommit=True) as root:
        return root.execute("SELECT 1 FROM pg_stat_activity WHERE pid = %s", [pid]).fetchone() is not None


def _all_backends() -> set[int]:
    """The pool hands out what was idle for longest: after so many uses everyone had their turn."""
    found = set()
    for _ in range(USES):
        found.add(_backend())
        connection.close()
    return found


def test_a_healthy_connection_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    before = _all_backends()

    def ask(_: Any) -> None:
        raise AssertionError("a question that the socket had answered")

    monkeypatch.setattr(ConnectionPool, "check_connection", staticmethod(ask))
    assert _all_backends() == before


def test_one_that_the_server_ended_meanwhile_is_replaced_before_it_is_used() -> None:
    (killed, *_) = _all_backends()
    with psycopg.connect(SERVICES.cluster.superuser_url, autocommit=True) as root:
        root.execute("SELECT pg_terminate_backend(%s)", [killed])
    until(lambda: not _is_alive(killed))
    assert killed not in _all_backends()
