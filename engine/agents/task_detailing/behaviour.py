"""Task Detailing's decisions: one story, one run of the generator, and the turn is over.

The request names the story; a run that failed ends the turn with its own failure, so that a person sees which story
it was and can go on. A story that has tasks meanwhile is left as it is.
"""

import json
from datetime import datetime

from contracts.agents import ROSTER
from contracts.events import DetailingRequested, LogEvent, ToolCalled, ToolFinished
from contracts.failures import ErrorCode
from contracts.routes.model import ModelToolCall
from engine.domain import turn
from engine.domain.behaviour import Received, Step, ToolRan, TurnBegan
from engine.domain.effects import RunTool
from engine.domain.failures import Failure
from engine.domain.turn import TurnRules, TurnState, began, turn_of, with_

RULES = TurnRules(card=ROSTER["task_detailing"], tools=("refine_story_tasks",))
TOOL = RULES.tools[0]


def start() -> TurnState:
    """Nothing has happened yet."""
    return TurnState()


def handle(state: TurnState, message: Received, now: datetime) -> Step:
    """Pure: the same state and message give the same step."""
    del now
    match message:
        case TurnBegan():
            return _begin(state, message)
        case ToolRan():
            return _end(state, message)
        case _:
            raise TypeError(f"detailing cannot receive {type(message).__name__}")


def _begin(state: TurnState, message: TurnBegan) -> Step:
    state = began(state, message)
    story = _story(message.taken) or _story(message.history)
    if story is None:
        return turn.fail(state, Failure(ErrorCode.UNKNOWN_FAILURE, "nobody said which story"))
    arguments = json.dumps({"story": story})
    call = ModelToolCall(id=f"{story}:{message.turn_id}", name=TOOL, arguments=arguments)
    told = ToolCalled(turn_id=turn_of(state), iteration=0, call_id=call.id, tool=TOOL, arguments=arguments)
    return Step(with_(state, pending=(call,)), (told,), effect=RunTool(call=call, offered=RULES.tools))


def _story(events: tuple[LogEvent, ...]) -> str | None:
    asked = [event.payload.code for event in events if isinstance(event.payload, DetailingRequested)]
    return asked[-1] if asked else None


def _end(state: TurnState, message: ToolRan) -> Step:
    outcome, (call, *_) = message.outcome, state.pending
    told = ToolFinished(turn_id=turn_of(state), call_id=call.id, tool=TOOL, ok=outcome.ok, text=outcome.text)
    state = with_(state, pending=())
    if outcome.code is not None:
        return turn.fail(state, Failure(outcome.code, outcome.text), told)
    if "tasks" not in outcome.facts:
        return turn.fail(state, Failure(ErrorCode.TASKS_EXIST, outcome.text), told)
    return turn.complete(state, told)
