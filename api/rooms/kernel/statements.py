"""Plain statements for the busiest paths: no ORM to compile them, and PostgreSQL plans each once a connection."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import psycopg
from django.db import connection, models
from django.db.backends.utils import CursorWrapper

from api.rooms.kernel.clock import now

Parameters = Sequence[Any] | Mapping[str, Any]


def _cursor() -> CursorWrapper:
    """Django's own cursors write parameters into the text, so that no two statements are the same to PostgreSQL.

    This one sends them beside it: after some uses the driver prepares the statement and sends its name alone.
    """
    if connection.queries_logged:
        return connection.cursor()  # whoever logs statements wants to read them whole
    connection.ensure_connection()
    bound: Any = psycopg.Cursor(connection.connection)
    return connection.make_cursor(bound)


def rows(statement: str, parameters: Parameters) -> list[tuple[Any, ...]]:
    """All rows that it answers with."""
    with _cursor() as cursor:
        cursor.execute(statement, parameters)
        found: list[tuple[Any, ...]] = cursor.fetchall()
    return found


def row(statement: str, parameters: Parameters) -> tuple[Any, ...] | None:
    """The first row, if there is any."""
    with _cursor() as cursor:
        cursor.execute(statement, parameters)
        found: tuple[Any, ...] | None = cursor.fetchone()
    return found


def changed(statement: str, parameters: Parameters) -> int:
    """How many rows it touched."""
    with _cursor() as cursor:
        cursor.execute(statement, parameters)
        return int(cursor.rowcount)


def create(model: type[models.Model], values: Mapping[str, Any]) -> None:
    """A new row, with the model's defaults for what is not named."""
    statement, fields = _insert(model)
    changed(statement, [_prepared(field, values) for field in fields])


def _prepared(field: "models.Field[Any, Any]", values: Mapping[str, Any]) -> Any:
    if field.attname in values:
        value = values[field.attname]
    else:
        value = now() if getattr(field, "auto_now_add", False) else field.get_default()
    return field.get_db_prep_save(value, connection)


@cache
def columns(model: type[models.Model], alias: str) -> tuple[str, ...]:
    """The model's columns as a statement selects them; `model.from_db` takes them in this order."""
    quote = connection.ops.quote_name
    fields = model._meta.local_concrete_fields  # noqa: SLF001 - Django's documented interface
    return tuple(f"{alias}.{quote(str(field.column))}" for field in fields)


@cache
def _insert(model: type[models.Model]) -> tuple[str, tuple["models.Field[Any, Any]", ...]]:
    """The statement's text, made once for each model."""
    fields = tuple(model._meta.local_concrete_fields)  # noqa: SLF001 - Django's documented interface
    quote = connection.ops.quote_name
    names = ", ".join(quote(str(field.column)) for field in fields)
    marks = ", ".join("%s" for _ in fields)
    return f"INSERT INTO {quote(model._meta.db_table)} ({names}) VALUES ({marks})", fields  # noqa: S608, SLF001 - quoted
