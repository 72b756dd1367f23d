"""The door of the room: limits, and the life of a hold."""

from api.rooms.budgets.services.holds import release, renew
from api.rooms.budgets.services.limits import set_limit
from api.rooms.budgets.services.reserving import Held, Reserving, reserve
from api.rooms.budgets.services.settling import Settled, Settling, book, settle

__all__ = ["Held", "Reserving", "Settled", "Settling", "book", "release", "renew", "reserve", "set_limit", "settle"]
