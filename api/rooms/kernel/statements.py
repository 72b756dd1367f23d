"""Plain statements for the busiest paths: no ORM to compile them, and PostgreSQL plans each once a connection."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any
from uuid import UUID

import psycopg
from django.db import connection, models
from django.db.backends.utils import CursorWrapper

from api.rooms.kernel.clock import now

AS_THEY_ARE = (models.UUIDField, models.IntegerField, models.BooleanField, models.TextField, models.CharField)
"""Fields whose values the driver writes as Django would."""
EARLY = "set_config('synchronous_commit', 'off', true)"
"""In a statement of its own transaction: its commit does not wait for the disk. See `let_go_early`."""
TO_DISK_SQL = "SELECT pg_logical_emit_message(true, '', '')"
"""Writes next to nothing, and its commit waits until the disk has it and all that was committed before."""
Parameters = Sequence[Any] | Mapping[str, Any]


class Answer:
    """What a statement answered. Of one that was sent `together` with others, there is nothing before their end."""

    def __init__(self, cursor: CursorWrapper) -> None:
        self._cursor = cursor

    def rows(self) -> list[tuple[Any, ...]]:
        """All rows that it answers with."""
        found: list[tuple[Any, ...]] = self._cursor.fetchall()
        return found

    def row(self) -> tuple[Any, ...] | None:
        """The first row, if there is any."""
        found: tuple[Any, ...] | None = self._cursor.fetchone()
        return found

    def changed(self) -> int:
        """How many rows it touched."""
        return int(self._cursor.rowcount)


def _cursor() -> CursorWrapper:
    """Django's own cursors write parameters into the text, so that no two statements are the same to PostgreSQL.

    This one sends them beside it: after some uses the driver prepares the statement and sends its name alone.
    """
    if connection.queries_logged:
        return connection.cursor()  # whoever logs statements wants to read them whole
    connection.ensure_connection()
    bound: Any = psycopg.Cursor(connection.connection)
    return connection.make_cursor(bound)


def send(statement: str, parameters: Parameters) -> Answer:
    """Waits for its answer, unless it is sent `together` with others."""
    cursor = _cursor()
    cursor.execute(statement, parameters)
    return Answer(cursor)


def let_go_early(statement: str, parameters: Parameters) -> Answer:
    """A transaction of this statement alone, whose locks are let go before the disk has it; returns when it does.

    The statement selects EARLY. Whoever waits for its locks need not wait for the disk too: what they write lies behind
    it in the same log, so that neither stands without the other. Raises TypeError inside of a transaction.
    """
    if connection.in_atomic_block:
        raise TypeError("the locks of a transaction end with it: send the statement without EARLY")
    connection.ensure_connection()
    bound: Any = connection.connection
    with connection.wrap_database_errors, bound.pipeline() as line:
        answer = send(statement, parameters)
        line.sync()
        bound.execute(TO_DISK_SQL)
    return answer


@contextmanager
def together() -> Iterator[None]:
    """What is sent inside goes to PostgreSQL in one message, is done in its order, and is waited for once, at the end.

    The first that fails is raised there, and those after it are not done.
    """
    connection.ensure_connection()
    bound: Any = connection.connection
    with connection.wrap_database_errors, bound.pipeline():
        yield


def rows(statement: str, parameters: Parameters) -> list[tuple[Any, ...]]:
    """All rows that it answers with."""
    return send(statement, parameters).rows()


def row(statement: str, parameters: Parameters) -> tuple[Any, ...] | None:
    """The first row, if there is any."""
    return send(statement, parameters).row()


def changed(statement: str, parameters: Parameters) -> int:
    """How many rows it touched."""
    return send(statement, parameters).changed()


def create(model: type[models.Model], values: Mapping[str, Any]) -> None:
    """A new row, with the model's defaults for what is not named, and the database's where it has one."""
    statement, fields = _insert(model, frozenset(values))
    send(statement, [_prepared(field, values) for field in fields])


def update(model: type[models.Model], row_id: UUID, changes: Mapping[str, Any]) -> None:
    """Columns of the row with this id."""
    statement, fields = _update(model, tuple(changes))
    values = [_as_stored(field, changes[field.attname]) for field in fields]
    send(statement, [*values, row_id])


def _prepared(field: "models.Field[Any, Any]", values: Mapping[str, Any]) -> Any:
    if field.attname in values:
        value = values[field.attname]
    else:
        value = now() if getattr(field, "auto_now_add", False) else field.get_default()
    return _as_stored(field, value)


def _as_stored(field: "models.Field[Any, Any]", value: Any) -> Any:
    return value if isinstance(field, AS_THEY_ARE) else field.get_db_prep_save(value, connection)


@cache
def columns(model: type[models.Model], alias: str) -> tuple[str, ...]:
    """The model's columns as a statement selects them; `model.from_db` takes them in this order."""
    quote = connection.ops.quote_name
    fields = model._meta.local_concrete_fields  # noqa: SLF001 - Django's documented interface
    return tuple(f"{alias}.{quote(str(field.column))}" for field in fields)


@cache
def _update(model: type[models.Model], names: tuple[str, ...]) -> tuple[str, tuple["models.Field[Any, Any]", ...]]:
    """As `_insert`, for each set of columns that is changed together."""
    quote = connection.ops.quote_name
    by_name = {field.attname: field for field in model._meta.local_concrete_fields}  # noqa: SLF001 - as above
    fields = tuple(by_name[name] for name in names)
    sets = ", ".join(f"{quote(str(field.column))} = %s" for field in fields)
    return f"UPDATE {quote(model._meta.db_table)} SET {sets} WHERE id = %s", fields  # noqa: S608, SLF001 - quoted


@cache
def _insert(model: type[models.Model], given: frozenset[str]) -> tuple[str, tuple["models.Field[Any, Any]", ...]]:
    """The statement's text, made once for each model and set of columns that are given."""
    every = model._meta.local_concrete_fields  # noqa: SLF001 - Django's documented interface
    fields = tuple(field for field in every if field.attname in given or not _is_filled_by_database(field))
    quote = connection.ops.quote_name
    names = ", ".join(quote(str(field.column)) for field in fields)
    marks = ", ".join("%s" for _ in fields)
    return f"INSERT INTO {quote(model._meta.db_table)} ({names}) VALUES ({marks})", fields  # noqa: S608, SLF001 - quoted


def _is_filled_by_database(field: "models.Field[Any, Any]") -> bool:
    return isinstance(field, models.AutoField) or field.db_default is not models.NOT_PROVIDED
