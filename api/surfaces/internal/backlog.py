"""What agents write and read in the backlog of their project."""

from django.urls import URLPattern

from api.rooms.backlog import lists
from api.rooms.backlog.services import by_agents
from api.surfaces.internal.binding import Call, bind
from contracts.base import Message
from contracts.routes import backlog


def _epic(call: Call) -> Message:
    return by_agents.epic(call.slots["instance_id"], call.body, call.body_hash)


def _feature(call: Call) -> Message:
    return by_agents.feature(call.slots["instance_id"], call.body, call.body_hash)


def _story(call: Call) -> Message:
    return by_agents.story(call.slots["instance_id"], call.body, call.body_hash)


def _story_edit(call: Call) -> Message:
    return by_agents.story_edit(call.slots["instance_id"], call.body, call.body_hash)


def _task(call: Call) -> Message:
    return by_agents.task(call.slots["instance_id"], call.body, call.body_hash)


def _rules(call: Call) -> Message:
    return lists.rules(call.slots["instance_id"], call.body)


def _backlog(call: Call) -> Message:
    return lists.backlog(call.slots["instance_id"], call.body)


URLS: list[URLPattern] = [
    bind(backlog.CREATE_EPIC, _epic),
    bind(backlog.CREATE_FEATURE, _feature),
    bind(backlog.CREATE_STORY, _story),
    bind(backlog.EDIT_STORY, _story_edit),
    bind(backlog.CREATE_TASK, _task),
    bind(backlog.LIST_RULES, _rules),
    bind(backlog.LIST_BACKLOG, _backlog),
]
