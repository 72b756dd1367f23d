"""The rows behind the log, read past the services: what an accountant would ask for."""

from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg.rows import dict_row

Row = dict[str, Any]

BUSY = """
SELECT (SELECT count(*) FROM agents_instance WHERE lease_expires_at > now() OR turn_id IS NOT NULL
                                                OR (NOT is_held AND wanted_seq > cursor_seq)) AS instances,
       (SELECT count(*) FROM outbox_wake) AS wakes,
       (SELECT count(*) FROM outbox_outboxmessage WHERE delivered_at IS NULL AND dead_at IS NULL) AS messages,
       (SELECT count(*) FROM gateway_call WHERE status = 'open') AS calls,
       (SELECT count(*) FROM budgets_hold WHERE status = 'open') AS holds
"""
LEASES = "SELECT id, epoch, lease_worker, turn_id FROM agents_instance WHERE lease_worker IS NOT NULL"


@dataclass(frozen=True)
class Ledger:
    """Connects for each question, since the database itself is among the victims."""

    url: str

    def ask(self, query: str, *values: object) -> list[Row]:
        """The rows; raises while the database is away."""
        with psycopg.connect(self.url, row_factory=dict_row, connect_timeout=5) as database:
            return database.execute(query.encode(), values).fetchall()

    def busy(self) -> dict[str, int]:
        """What is still going on, by kind; empty when all rest."""
        return {name: count for name, count in self.ask(BUSY)[0].items() if count}

    def leases(self) -> dict[str, Row]:
        """Instance → its lease, while it has one."""
        return {str(row["id"]): row for row in self.ask(LEASES)}
