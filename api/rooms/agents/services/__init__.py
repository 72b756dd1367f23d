"""The door of the room: instances, their inbox, their lease, and answers kept for repeated calls."""

from api.rooms.agents.services.answers import answer_once
from api.rooms.agents.services.inbox import deliver, ensure, wake_again
from api.rooms.agents.services.instances import InstanceFacts, Locking, fence, lock, owner_of, save
from api.rooms.agents.services.leases import Claimed, claim, release_lease, renew, sweep

__all__ = [
    "Claimed",
    "InstanceFacts",
    "Locking",
    "answer_once",
    "claim",
    "deliver",
    "ensure",
    "fence",
    "lock",
    "owner_of",
    "release_lease",
    "renew",
    "save",
    "sweep",
    "wake_again",
]
