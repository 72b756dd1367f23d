"""Keyed effects of agents: artifacts, the brief, handoffs."""

from django.urls import URLPattern

from api.rooms.handoffs import services as handoffs
from api.surfaces.internal.binding import Call, bind
from contracts.base import Message
from contracts.routes import effects


def _artifact(call: Call) -> Message:
    return handoffs.emit_artifact(call.slots["instance_id"], call.body, call.body_hash)


def _brief(call: Call) -> Message:
    return handoffs.emit_brief(call.slots["instance_id"], call.body, call.body_hash)


def _handoff(call: Call) -> Message:
    return handoffs.offer(call.slots["instance_id"], call.body, call.body_hash)


URLS: list[URLPattern] = [
    bind(effects.EMIT_ARTIFACT, _artifact),
    bind(effects.EMIT_BRIEF, _brief),
    bind(effects.OFFER_HANDOFF, _handoff),
]
