"""What a behaviour is: a pure function from a state and a message to a step."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from contracts.base import Message
from contracts.events import AgentWritten, LogEvent
from contracts.routes.instances import TurnEnding
from contracts.routes.model import Final
from contracts.vocabulary import Language
from engine.domain.effects import BeginTurn, CallModel, Compact, OfferWork, RunTool, WriteBrief
from engine.domain.failures import Failure
from engine.domain.tools import ToolOutcome


@dataclass(frozen=True)
class TurnBegan:
    """A turn was begun for `taken`; `history` is the session's log up to here."""

    turn_id: UUID
    taken: tuple[LogEvent, ...]
    history: tuple[LogEvent, ...]
    language: Language = Language.ENGLISH


@dataclass(frozen=True)
class ModelAnswered:
    """`sent_bytes` is the size of the body that was answered; `used_ids` are the tool-call ids the session has seen."""

    final: Final
    sent_bytes: int
    used_ids: frozenset[str] = frozenset()


@dataclass(frozen=True)
class ContextOverflowed:
    """The next call would be too large, so it was not made; `target_bytes` is what to compact to."""

    size_bytes: int
    limit_bytes: int
    target_bytes: int


@dataclass(frozen=True)
class Compacted:
    """The conversation is smaller now."""

    through_seq: int
    summary: str
    bytes_before: int
    bytes_after: int
    part_bytes: int | None


@dataclass(frozen=True)
class CompactionImpossible:
    """Nothing can be left out any more."""

    size_bytes: int


@dataclass(frozen=True)
class ToolRan:
    """One tool call has its outcome."""

    outcome: ToolOutcome


@dataclass(frozen=True)
class BriefWritten:
    """The brief is in the log."""

    event: LogEvent


@dataclass(frozen=True)
class WorkOffered:
    """The handoff is offered."""

    handoff_id: UUID


@dataclass(frozen=True)
class EffectFailed:
    """The effect could not be performed."""

    effect: CallModel | Compact | WriteBrief | OfferWork
    failure: Failure


Received = (
    TurnBegan
    | ModelAnswered
    | ContextOverflowed
    | Compacted
    | CompactionImpossible
    | ToolRan
    | BriefWritten
    | WorkOffered
    | EffectFailed
)

AnyEffect = BeginTurn | CallModel | Compact | RunTool | WriteBrief | OfferWork


@dataclass(frozen=True)
class Step:
    """The new state, what to write, and either the next effect or the turn's end."""

    state: Message
    events: tuple[AgentWritten, ...] = ()
    effect: AnyEffect | None = None
    end: TurnEnding | None = None

    def __post_init__(self) -> None:
        """A turn that neither goes on nor ends would look busy for ever."""
        if (self.effect is None) == (self.end is None):
            raise ValueError("a step names the next effect or ends the turn: exactly one of them")


Handle = Callable[[Message, Received, datetime], Step]
