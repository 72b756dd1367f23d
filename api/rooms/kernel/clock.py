"""The wall clock, in one place so that a test can name what it replaces."""

from datetime import UTC, datetime


def now() -> datetime:
    """The instant, in UTC. Leases and deadlines use the database's clock instead."""
    return datetime.now(UTC)
