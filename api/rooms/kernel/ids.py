"""Identifiers that sort by time."""

from uuid import UUID

from uuid_utils.compat import uuid7


def new_id() -> UUID:
    """A UUIDv7."""
    return uuid7()
