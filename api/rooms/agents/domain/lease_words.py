"""A lease in words."""

from datetime import datetime
from uuid import UUID


def lease_words(worker: UUID | None, expires_at: datetime | None, now: datetime) -> tuple[str, str]:
    """`free`, `held` or `expired`, and what is to be said beside it."""
    if worker is None or expires_at is None:
        return "free", ""
    said = f"{str(worker)[-8:]} · {expires_at:%H:%M:%S} UTC"
    return ("held", said) if expires_at >= now else ("expired", said)
