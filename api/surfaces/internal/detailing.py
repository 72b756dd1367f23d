"""What the generator of tasks reads and writes."""

from django.urls import URLPattern

from api.rooms.backlog import detailing_inputs
from api.rooms.backlog.services import resolving, task_sets
from api.surfaces.internal.binding import Call, bind
from contracts.base import Message
from contracts.routes import detailing


def _read(call: Call) -> Message:
    return detailing_inputs.for_agent(call.slots["instance_id"], call.body)


def _replace(call: Call) -> Message:
    return task_sets.by_agent(call.slots["instance_id"], call.body, call.body_hash)


def _resolve(call: Call) -> Message:
    return resolving.by_agent(call.slots["instance_id"], call.body, call.body_hash)


URLS: list[URLPattern] = [
    bind(detailing.READ_STORY, _read),
    bind(detailing.REPLACE_TASKS, _replace),
    bind(detailing.RESOLVE_STORY, _resolve),
]
