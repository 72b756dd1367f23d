"""Stop, as a person presses it, and what it refuses."""

from api.rooms.turns import services as turns
from tests.factories.places import Place

STOPPED_TURN = ["agent.error", "turn.ended", "turn.stop_receipt"]


def stop(place: Place, agent: str | None = None) -> tuple[object, ...]:
    return turns.stop(place.session_id, place.user_id, agent)
