"""The runtime state of an instance: one JSON text, saved with each step."""

import json
from dataclasses import dataclass
from typing import Generic
from uuid import UUID

from pydantic import JsonValue

from contracts.base import Message
from contracts.routes.instances import Lease
from engine.domain.agent import Agent, State
from engine.domain.effects import BeginTurn, CallModel, Compact, Effect, OfferWork, RunTool, WriteBrief

AnyEffect = BeginTurn | CallModel | Compact | RunTool | WriteBrief | OfferWork


class Saved(Message):
    """The behaviour's state, the turn it belongs to, and the effect to perform next."""

    behaviour: JsonValue
    turn_id: UUID | None = None
    effect: Effect | None = None


@dataclass(frozen=True)
class Resumed(Generic[State]):
    """Where a worker goes on. `unreadable` says why the saved text could not be used."""

    state: State
    effect: AnyEffect | None = None
    unreadable: str = ""


def write(state: Message, turn_id: UUID | None, effect: AnyEffect | None) -> str:
    """The text to save."""
    return Saved(behaviour=state.model_dump(mode="json"), turn_id=turn_id, effect=effect).model_dump_json()


def read(agent: Agent[State], lease: Lease) -> Resumed[State]:
    """The state and effect of a lease; an effect of a turn that is not the running one is dropped."""
    if lease.state is None:
        return Resumed(agent.start())
    try:
        saved = Saved.model_validate_json(lease.state)
        state = agent.state.model_validate_json(json.dumps(saved.behaviour))
    except ValueError as error:
        return Resumed(agent.start(), unreadable=str(error))
    running = lease.turn.turn_id if lease.turn else None
    return Resumed(state, saved.effect if running is not None and saved.turn_id == running else None)
