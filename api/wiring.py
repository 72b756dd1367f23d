"""Which room consumes which outbox type; above the rooms, so that no room knows a higher one."""

from collections.abc import Callable
from uuid import UUID

from api.rooms.handoffs import services as handoffs
from api.rooms.turns.services.ending import TURN_COMPLETED

Consumer = Callable[[dict[str, str]], None]


def _complete_handoffs(payload: dict[str, str]) -> None:
    handoffs.complete_accepted(UUID(payload["session_id"]), payload["agent"], UUID(payload["turn_id"]))


CONSUMERS: dict[str, Consumer] = {TURN_COMPLETED: _complete_handoffs}
