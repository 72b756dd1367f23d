"""What the rows say of the house: figures that are asked often, and counts by label that read more."""

from dataclasses import dataclass

from django.db import connection


@dataclass(frozen=True)
class Figure:
    """One number; an index or a short table answers it."""

    meaning: str
    sql: str


@dataclass(frozen=True)
class Census:
    """A row of labels and a number each; it may read a whole table, so it is asked less often."""

    meaning: str
    labels: tuple[str, ...]
    sql: str


FIGURES = {
    "mutirao_holds_open": Figure(
        "Holds of calls in flight.", "SELECT count(*) FROM budgets_hold WHERE status = 'open'"
    ),
    "mutirao_turns_running": Figure(
        "Turns that run or wait within a turn.", "SELECT count(*) FROM turns_turn WHERE status = 'running'"
    ),
    "mutirao_turns_queued": Figure(
        "Agents with something new that no turn has taken yet.",
        "SELECT count(*) FROM agents_instance WHERE NOT is_held AND wanted_seq > cursor_seq",
    ),
    "mutirao_instances_leased": Figure(
        "Instances that a worker acts for.",
        "SELECT count(*) FROM agents_instance WHERE lease_worker IS NOT NULL AND lease_expires_at >= now()",
    ),
    "mutirao_leases_expired": Figure(
        "Instances whose worker went silent.",
        "SELECT count(*) FROM agents_instance WHERE lease_worker IS NOT NULL AND lease_expires_at < now()",
    ),
    "mutirao_wakes_waiting": Figure("Wakes not delivered yet.", "SELECT count(*) FROM outbox_wake"),
    "mutirao_wakes_oldest_seconds": Figure(
        "How long the oldest due wake has waited.",
        "SELECT COALESCE(EXTRACT(EPOCH FROM now() - min(due_at)), 0) FROM outbox_wake WHERE due_at <= now()",
    ),
    "mutirao_outbox_waiting": Figure(
        "Messages not delivered yet.",
        "SELECT count(*) FROM outbox_outboxmessage WHERE delivered_at IS NULL AND dead_at IS NULL",
    ),
    "mutirao_dead_letters": Figure(
        "Messages that were given up and wait for a person.",
        "SELECT count(*) FROM outbox_outboxmessage WHERE dead_at IS NOT NULL AND discarded_at IS NULL",
    ),
}
CENSUSES = {
    "mutirao_sessions": Census(
        "Sessions that people see.",
        ("kind", "status"),
        "SELECT kind, status, count(*) FROM agent_sessions_session WHERE deleted_at IS NULL GROUP BY 1, 2",
    ),
    "mutirao_instances_given_up": Census(
        "Instances that ended worker after worker and wait for a person's message, or an operator's Revive.",
        ("agent",),
        "SELECT i.agent, count(*) FROM agents_instance i JOIN turns_turn t ON t.id = (SELECT id FROM turns_turn "
        "WHERE instance_id = i.id ORDER BY number DESC LIMIT 1) "
        "WHERE i.is_held AND t.status = 'interrupted' AND t.reason = 'worker_lost' GROUP BY 1",
    ),
}


def figure(name: str) -> float:
    """One of FIGURES, as the rows say it now."""
    with connection.cursor() as cursor:
        cursor.execute(FIGURES[name].sql)
        row = cursor.fetchone()
    return float(row[0]) if row else 0.0


def census(name: str) -> list[tuple[tuple[str, ...], float]]:
    """One of CENSUSES: labels and how many."""
    with connection.cursor() as cursor:
        cursor.execute(CENSUSES[name].sql)
        return [(tuple(str(label) for label in row[:-1]), float(row[-1])) for row in cursor.fetchall()]
