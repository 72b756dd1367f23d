"""An agent instance's life: claim, history, step, release, heartbeat."""

from uuid import UUID

from django.urls import URLPattern

from api.rooms.agent_sessions import selectors as log
from api.rooms.agents.selectors import session_of
from api.rooms.kernel.db import Lane
from api.rooms.kernel.refusals import not_found
from api.rooms.turns import services as turns
from api.surfaces.internal.binding import Call, bind, bind_async
from contracts.base import Message
from contracts.routes import instances, workers

CLAIMS = Lane("claims", threads=2, line=16)
"""A crowd of woken agents waits in its workers, not here: who was let in goes on, and gets its turns done."""
HEARTBEATS = Lane("heartbeats", threads=1, line=64)
"""Whoever is late here loses all that it runs: a heartbeat waits for nobody's turn."""


def _claim(call: Call) -> Message:
    return turns.claim(call.slots["instance_id"], call.body)


def _step(call: Call) -> Message:
    return turns.step(call.slots["instance_id"], call.body, call.body_hash)


def _release(call: Call) -> Message:
    return turns.release(call.slots["instance_id"], call.body.epoch)


def _heartbeat(call: Call) -> Message:
    return turns.heartbeat(call.slots["boot_id"], call.body)


def _history(call: Call) -> Message:
    session_id: UUID | None = session_of(call.slots["instance_id"])
    if session_id is None:
        raise not_found("agent instance")
    page = log.events(session_id, call.body.after, call.body.limit)
    return instances.HistoryAnswer(events=page.events, has_more=page.has_more)


URLS: list[URLPattern] = [
    bind_async(instances.CLAIM, CLAIMS.run(_claim)),
    bind(instances.STEP, _step),
    bind(instances.RELEASE, _release),
    bind(instances.HISTORY, _history),
    bind_async(workers.HEARTBEAT, HEARTBEATS.run(_heartbeat)),
]
