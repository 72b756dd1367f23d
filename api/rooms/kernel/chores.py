"""Work by the calendar: one statement decides who does it now."""

from datetime import timedelta

from api.rooms.kernel import statements
from api.rooms.kernel.models import Chore

CLAIM_SQL = """
INSERT INTO kernel_chore (name, due_at, started_at, report) VALUES (%(name)s, now() + %(every)s, now(), '')
ON CONFLICT (name) DO UPDATE SET due_at = now() + %(every)s, started_at = now()
WHERE kernel_chore.due_at <= now()
RETURNING name
"""
POSTPONE_SQL = "UPDATE kernel_chore SET due_at = now() + %(wait)s, report = %(report)s WHERE name = %(name)s"


def claim(name: str, every: timedelta) -> bool:
    """True for exactly one caller each period; the first time it is due at once."""
    return statements.row(CLAIM_SQL, {"name": name, "every": every}) is not None


def report(name: str, text: str) -> None:
    Chore.objects.filter(name=name).update(report=text[:2_000])


def failed(name: str, text: str, wait: timedelta) -> None:
    """Due again sooner than a whole period."""
    statements.changed(POSTPONE_SQL, {"name": name, "wait": wait, "report": text[:2_000]})
