"""The door of the room: readiness, artifacts and brief, offers and decisions."""

from api.rooms.handoffs.services.artifacts import emit_artifact, emit_brief
from api.rooms.handoffs.services.beginning import honour_owed
from api.rooms.handoffs.services.completing import complete_accepted
from api.rooms.handoffs.services.deciding import accept, reject
from api.rooms.handoffs.services.directing import hand_to
from api.rooms.handoffs.services.offering import offer
from api.rooms.handoffs.services.prototyping import propose_prototype
from api.rooms.handoffs.services.readiness import confirm_readiness

__all__ = [
    "accept",
    "complete_accepted",
    "confirm_readiness",
    "emit_artifact",
    "emit_brief",
    "hand_to",
    "honour_owed",
    "offer",
    "propose_prototype",
    "reject",
]
