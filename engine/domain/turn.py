"""The turn of an agent that thinks and uses tools: state, and which rule answers which message."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar
from uuid import UUID

from contracts.agents import AgentCard
from contracts.base import Message
from contracts.events import AgentWritten
from contracts.failures import ErrorCode
from contracts.routes.instances import TurnEnding
from contracts.routes.model import ModelToolCall
from contracts.vocabulary import Language, TurnStatus
from engine.domain.behaviour import Step, TurnBegan
from engine.domain.effects import CallModel, Window
from engine.domain.failures import Failure, event


class FailedTool(Message):
    """A call of the current answer that failed; its error is written when all calls were dispatched."""

    tool: str
    code: ErrorCode
    text: str


class TurnState(Message):
    """All that a turn must know after a restart. Everything but `window` begins anew with each turn."""

    turn_id: UUID | None = None
    language: Language = Language.ENGLISH
    is_consolidation: bool = False
    iteration: int = 0
    pending: tuple[ModelToolCall, ...] = ()
    is_cut: bool = False
    has_ended: bool = False
    """A tool that ends the turn went well in the current answer."""
    failed: tuple[FailedTool, ...] = ()
    has_failed: bool = False
    """In this turn, the current answer included."""
    nudges: int = 0
    is_warned: bool = False
    moves: tuple[str, ...] = ()
    text: str = ""
    """The last text of the turn that is not empty."""
    answer_text: str = ""
    """The text of the current answer."""
    window: Window = Window()


State = TypeVar("State", bound=TurnState)


@dataclass(frozen=True)
class TurnRules:
    """What one agent's turn may do. `closing` is the last word of a mended turn that ended without one."""

    card: AgentCard
    tools: tuple[str, ...] = ()
    ends_turn: frozenset[str] = frozenset()
    closing: Mapping[Language, str] = field(default_factory=dict)
    max_nudges: int = 2
    is_ceiling_an_error: bool = False
    """The Creative's is an `agent.error` (RN-163); everybody else's speaks as `toolloop.limit_reached` (RN-166)."""

    def may_go_on(self, state: TurnState) -> bool:
        """Whether the ceiling leaves another model call."""
        return state.iteration < self.card.ceiling


def with_(state: State, **changes: object) -> State:
    """`state` with some fields changed."""
    return state.model_copy(update=changes)


def began(state: State, message: TurnBegan, *, is_consolidation: bool = False) -> State:
    """A new turn: what the last one did is over, what it learned about size is kept."""
    window = state.window.model_copy(update={"compactions": 0})
    return type(state)(
        turn_id=message.turn_id, language=message.language, is_consolidation=is_consolidation, window=window
    )


def turn_of(state: TurnState) -> UUID:
    """The running turn's id."""
    if state.turn_id is None:
        raise ValueError("no turn is running")
    return state.turn_id


def call_again(rules: TurnRules, state: TurnState, *events: AgentWritten) -> Step:
    """The next model call of the turn; the caller has asked `may_go_on`."""
    following = with_(state, iteration=state.iteration + 1, answer_text="")
    return same_call(rules, following, *events)


def same_call(rules: TurnRules, state: TurnState, *events: AgentWritten) -> Step:
    """The current model call, made or made again after a compaction."""
    effect = CallModel(iteration=state.iteration, tools=rules.tools, window=state.window)
    return Step(state, events, effect=effect)


def complete(state: TurnState, *events: AgentWritten) -> Step:
    """The turn went well."""
    return Step(state, events, end=TurnEnding(status=TurnStatus.COMPLETED))


def fail(state: TurnState, failure: Failure, *events: AgentWritten, **details: object) -> Step:
    """The turn ends with a durable error; the agent stays up (RN-059)."""
    status = TurnStatus.INTERRUPTED if failure.code is ErrorCode.INTERRUPTED else TurnStatus.FAILED
    error = event(failure).model_copy(update={"turn_id": state.turn_id, **details})
    return Step(state, (*events, error), end=TurnEnding(status=status, reason=failure.code))
