"""The door of the room: make calls, end them, say which model is used, with what key and at what price."""

from api.rooms.gateway.services.bindings import bind, unbind
from api.rooms.gateway.services.catalogue import ModelSpec, add_model, set_price
from api.rooms.gateway.services.credentials import forget_credential, rotate_credentials, store_credential
from api.rooms.gateway.services.scripts import set_script
from api.rooms.gateway.services.stopping import close_older, cut, forget_kept, mark_stopped
from api.rooms.gateway.services.streaming import complete, stream
from api.rooms.gateway.services.sweeping import end, sweep

__all__ = [
    "ModelSpec",
    "add_model",
    "bind",
    "close_older",
    "complete",
    "cut",
    "end",
    "forget_credential",
    "forget_kept",
    "mark_stopped",
    "rotate_credentials",
    "set_price",
    "set_script",
    "store_credential",
    "stream",
    "sweep",
    "unbind",
]
