"""Asking a behaviour for its decision; one that crashes costs its turn and nothing else (RN-059)."""

import traceback
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from contracts.base import Message
from contracts.failures import ErrorCode
from contracts.routes.instances import Step as SavedStep
from contracts.routes.instances import TurnEnding
from contracts.vocabulary import TurnStatus
from engine.domain.behaviour import Received, Step, TurnBegan
from engine.domain.effects import BeginTurn
from engine.domain.failures import Failure, event
from engine.runtime.held import HeldInstance


@dataclass(frozen=True)
class Decision:
    """A step, and its form on the wire."""

    step: Step
    body: SavedStep


def decide(held: HeldInstance, received: Received, now: datetime) -> Decision:
    """The behaviour's step, or the end of a turn whose behaviour crashed; the state is kept then."""
    try:
        step = held.agent.handle(held.state, received, now)
        return Decision(step, held.following(_checked(step, held.agent.state)))
    except Exception:  # noqa: BLE001 - an agent's defect of any kind must not reach the worker
        return crashed(held, traceback.format_exc())


def begin(held: HeldInstance, seqs: tuple[int, ...], now: datetime, *, is_left_to_others: bool) -> Decision:
    """The first decision of a turn that `held` is about to begin; or none yet, when this worker will hand it over."""
    if is_left_to_others:
        step = Step(held.state, effect=BeginTurn(seqs=seqs))
        return Decision(step, held.following(step))
    return decide(held, turn_began(held, seqs), now)


def turn_began(held: HeldInstance, seqs: tuple[int, ...]) -> TurnBegan:
    """What a behaviour is told of its new turn."""
    events = held.history.by_seq
    taken = tuple(events[seq] for seq in seqs if seq in events)
    return TurnBegan(held.running_turn, taken, held.history.events, held.context.language)


def _checked(step: object, state: type[Message]) -> Step:
    """A behaviour is somebody's code: what it returns is believed when it has been looked at."""
    if isinstance(step, Step) and isinstance(step.state, state):
        return step
    raise TypeError(f"the behaviour answered {type(step).__name__}, not a step with its own state")


def crashed(held: HeldInstance, text: str) -> Decision:
    """The agent's own defect: origin code, state kept, worker up."""
    return failed(held, Failure(ErrorCode.AGENT_CRASHED, text))


def failed(held: HeldInstance, failure: Failure) -> Decision:
    """The turn ends with one error, whatever the behaviour wanted."""
    step = failing(held.state, held.running_turn, failure)
    return Decision(step, held.following(step))


def failing(state: Message, turn_id: UUID, failure: Failure) -> Step:
    """The shortest step that ends a turn."""
    error = event(failure).model_copy(update={"turn_id": turn_id})
    return Step(state, (error,), end=TurnEnding(status=TurnStatus.FAILED, reason=failure.code))
