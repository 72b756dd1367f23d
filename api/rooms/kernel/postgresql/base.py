"""Connections of the pool: looked at instead of asked before each use, and with whole numbers of one width.

Django's own check is a question to the server for each connection that is taken, which costs as much as an answer.
"""

import select
from typing import Any

import psycopg
from django.db.backends.postgresql import base
from psycopg.types.numeric import Int8Dumper
from psycopg_pool import ConnectionPool


class DatabaseWrapper(base.DatabaseWrapper):
    """CONN_HEALTH_CHECKS stays off: the pool's check is ours."""

    @property
    def pool(self) -> Any:
        pool = super().pool
        if pool is not None:
            # psycopg_pool takes it when the pool is made, and Django leaves no other place to give it.
            pool._check = look  # noqa: SLF001
        return pool

    def _configure_connection(self, connection: Any) -> Any:
        """Once for each connection that is made."""
        # By default a number's width follows its value, and each width is another statement to prepare.
        connection.adapters.register_dumper(int, Int8Dumper)
        return super()._configure_connection(connection)  # type: ignore[misc]


def look(connection: "psycopg.Connection[Any]") -> None:
    """A server that ends a connection says so on its socket: only then, or when it is closed, is there a question.

    Raises psycopg's OperationalError for a connection that is of no use; the pool then takes another one.
    """
    if connection.closed or _has_news(connection.fileno()):
        ConnectionPool.check_connection(connection)


def _has_news(descriptor: int) -> bool:
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(0))
