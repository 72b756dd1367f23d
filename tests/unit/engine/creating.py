"""Playing the Creative without a model."""

from contracts.events import (
    AgentError,
)
from contracts.failures import ErrorCode, FailureOrigin
from contracts.vocabulary import Language
from engine.agents.creative import behaviour
from engine.domain.behaviour import (
    Received,
    Step,
)
from engine.domain.turn import TurnState
from tests.unit.engine.told import NOW, Told

ASK = "ask_structured_questions"


def play(step: Step, *messages: Received) -> Step:
    """The last of the steps that the messages lead to."""
    for message in messages:
        assert isinstance(step.state, TurnState)
        step = behaviour.handle(step.state, message, NOW)
    return step


def chat(log: Told | None = None) -> Step:
    """A turn that answers one message."""
    log = log or Told()
    return behaviour.handle(behaviour.start(), log.began(log.say("Olá"), language=Language.PORTUGUESE), NOW)


def kinds(step: Step) -> list[str]:
    return [event.type for event in step.events]


def errors(step: Step) -> list[tuple[FailureOrigin, ErrorCode, str | None, bool]]:
    return [
        (event.origin, event.code, event.tool, event.will_retry)
        for event in step.events
        if isinstance(event, AgentError)
    ]
