"""Housekeeping in batches: each its own transaction, so that it can be interrupted and never holds a lock for long."""

from typing import Any

from api.rooms.kernel import statements

BATCH = 500


def in_batches(change: str, table: str, key: str, chosen: str, values: dict[str, Any], *, is_dry: bool) -> int:
    """How many rows. `change` is DELETE or `UPDATE … SET …` without its table; `chosen` is FROM and WHERE.

    All words are the caller's constants; rows that somebody holds are left for the next time.
    """
    if is_dry:
        found = statements.row(f"SELECT count(*) {chosen}", values)
        return int(found[0]) if found else 0
    verb = f"DELETE FROM {table}" if change == "DELETE" else f"UPDATE {table} {change}"  # noqa: S608 - our own words
    statement = f"{verb} WHERE {key} IN (SELECT {key} {chosen} LIMIT {BATCH} FOR UPDATE SKIP LOCKED)"
    total = 0
    while (changed := statements.changed(statement, values)) > 0:
        total += changed
    return total
