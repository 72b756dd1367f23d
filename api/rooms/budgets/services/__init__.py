"""The door of the room: limits, and the life of a hold."""

from api.rooms.budgets.services.holds import release, renew
from api.rooms.budgets.services.limits import set_limit
from api.rooms.budgets.services.reserving import Held, Reserving, reserve
from api.rooms.budgets.services.settling import Guard, Settled, book, settle, settle_if

__all__ = [
    "Guard",
    "Held",
    "Reserving",
    "Settled",
    "book",
    "release",
    "renew",
    "reserve",
    "set_limit",
    "settle",
    "settle_if",
]
