"""Texts of calls that ended long ago: the log has what they said, the row keeps what they cost."""

from datetime import timedelta

from api.rooms.gateway.domain.attempts import CallStatus
from api.rooms.kernel.batches import in_batches

ENDED_SQL = """
FROM gateway_call WHERE status <> %(open)s AND ended_at < now() - %(age)s AND (text <> '' OR kept_frame IS NOT NULL)
"""


def prune_calls(age: timedelta, *, is_dry: bool) -> int:
    return in_batches(
        "SET text = '', kept_frame = NULL",
        "gateway_call",
        "id",
        ENDED_SQL,
        {"age": age, "open": CallStatus.OPEN.value},
        is_dry=is_dry,
    )
