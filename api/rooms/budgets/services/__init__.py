"""The door of the room: limits, and the life of a hold."""

from api.rooms.budgets.services.holds import Held, release, renew, reserve
from api.rooms.budgets.services.limits import set_limit
from api.rooms.budgets.services.settling import Settled, book, settle

__all__ = ["Held", "Settled", "book", "release", "renew", "reserve", "set_limit", "settle"]
