"""The door of the room: make calls, end them, say which model is used, with what key and at what price."""

from api.rooms.gateway.services.bindings import bind, unbind
from api.rooms.gateway.services.catalogue import ModelSpec, add_model, is_in_use
from api.rooms.gateway.services.credentials import (
    count_old_seals,
    forget_credential,
    rotate_credentials,
    store_credential,
)
from api.rooms.gateway.services.curation import change_model, set_active, set_fallback, set_uses
from api.rooms.gateway.services.key_checks import check_key
from api.rooms.gateway.services.prices import forget_price, set_price
from api.rooms.gateway.services.scripts import set_script
from api.rooms.gateway.services.stopping import close_older, cut, forget_kept, mark_stopped
from api.rooms.gateway.services.streaming import complete, stream
from api.rooms.gateway.services.sweeping import end, sweep
from api.rooms.gateway.services.syncing import sync_all, sync_workspace

__all__ = [
    "ModelSpec",
    "add_model",
    "bind",
    "change_model",
    "check_key",
    "close_older",
    "complete",
    "count_old_seals",
    "cut",
    "end",
    "forget_credential",
    "forget_kept",
    "forget_price",
    "is_in_use",
    "mark_stopped",
    "rotate_credentials",
    "set_active",
    "set_fallback",
    "set_price",
    "set_script",
    "set_uses",
    "store_credential",
    "stream",
    "sweep",
    "sync_all",
    "sync_workspace",
    "unbind",
]
