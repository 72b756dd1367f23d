"""What the Architect writes and reads."""

from django.urls import URLPattern

from api.rooms.actions import services as actions
from api.rooms.backlog import pendencies
from api.rooms.backlog.services import by_architects
from api.surfaces.internal.binding import Call, bind
from contracts.base import Message
from contracts.routes import architecture


def _module_map(call: Call) -> Message:
    return by_architects.module_map(call.slots["instance_id"], call.body, call.body_hash)


def _story_modules(call: Call) -> Message:
    return by_architects.story_modules(call.slots["instance_id"], call.body, call.body_hash)


def _image(call: Call) -> Message:
    return by_architects.image(call.slots["instance_id"], call.body, call.body_hash)


def _c4(call: Call) -> Message:
    return by_architects.c4(call.slots["instance_id"], call.body, call.body_hash)


def _adr(call: Call) -> Message:
    return actions.propose_adr(call.slots["instance_id"], call.body, call.body_hash)


def _read(call: Call) -> Message:
    return pendencies.for_agent(call.slots["instance_id"], call.body)


URLS: list[URLPattern] = [
    bind(architecture.CREATE_MODULE_MAP, _module_map),
    bind(architecture.ASSIGN_MODULES, _story_modules),
    bind(architecture.CHOOSE_IMAGE, _image),
    bind(architecture.DRAW_C4, _c4),
    bind(architecture.PROPOSE_ADR, _adr),
    bind(architecture.READ_ARCHITECTURE, _read),
]
