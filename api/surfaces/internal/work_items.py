"""What the Story Editor and the UX Designer read and write."""

from django.urls import URLPattern

from api.rooms.backlog.services import work_items as items
from api.rooms.handoffs.services import prototyping
from api.surfaces.internal.binding import Call, bind
from contracts.base import Message
from contracts.routes import work_items


def _read(call: Call) -> Message:
    return items.read(call.slots["instance_id"], call.body)


def _update(call: Call) -> Message:
    return items.update(call.slots["instance_id"], call.body, call.body_hash)


def _prototype(call: Call) -> Message:
    return prototyping.propose_prototype(call.slots["instance_id"], call.body, call.body_hash)


URLS: list[URLPattern] = [
    bind(work_items.GET_WORK_ITEMS, _read),
    bind(work_items.UPDATE_WORK_ITEMS, _update),
    bind(work_items.PROPOSE_PROTOTYPE, _prototype),
]
