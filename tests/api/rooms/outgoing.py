"""What lies in the outbox."""

from pathlib import Path
from uuid import UUID

from api.rooms.kernel.ids import new_id
from api.rooms.outbox import services as outbox

ROOT = Path(__file__).resolve().parents[3]


def wakes(count: int) -> set[UUID]:
    ids = {new_id() for _ in range(count)}
    for instance_id in ids:
        outbox.wake(instance_id, "creative", 1)
    return ids
