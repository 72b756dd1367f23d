"""A log told line by line, for tests of pure rules."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

from contracts.events import Actor, AnyEvent, ChatMessage, LogEvent, TurnStarted
from contracts.failures import ErrorCode
from contracts.money import Bill, Usage
from contracts.routes.model import Final, ModelError, ModelMessage, ModelToolCall
from contracts.vocabulary import ActorKind, FinishReason, MessageRole
from engine.domain.behaviour import ModelAnswered, ToolRan, TurnBegan
from engine.domain.effects import RunTool
from engine.domain.tools import ToolOutcome

NOW = datetime(2026, 1, 2, tzinfo=UTC)
BILL = Bill(usage=Usage(uncached_input=100, output=5), cost_micros=7, provider="p", model="m")


@dataclass
class Told:
    """A session's log."""

    agent: str = "creative"
    events: list[LogEvent] = field(default_factory=list)
    session_id: UUID = field(default_factory=uuid4)
    turns: int = 0

    def add(self, payload: AnyEvent, to_agent: str | None = None) -> LogEvent:
        """One more event."""
        kind = ActorKind.USER if to_agent else ActorKind.AGENT
        event = LogEvent(
            id=uuid4(),
            session_id=self.session_id,
            seq=len(self.events) + 1,
            actor=Actor(kind=kind, id="x"),
            to_agent=to_agent,
            created_at=NOW,
            payload=payload,
        )
        self.events.append(event)
        return event

    def say(self, text: str, to_agent: str | None = None) -> LogEvent:
        """A person's message, queued."""
        return self.add(ChatMessage(text=text, client_message_id=uuid4().hex), to_agent or self.agent)

    def start(self, *taken: LogEvent) -> UUID:
        """A turn that answers `taken`."""
        self.turns += 1
        turn_id = uuid4()
        self.add(TurnStarted(turn_id=turn_id, number=self.turns, taken=tuple(event.seq for event in taken)))
        return turn_id

    def began(self, *taken: LogEvent, **details: Any) -> TurnBegan:
        """The message that a behaviour gets for a turn that answers `taken`."""
        turn_id = self.start(*taken)
        return TurnBegan(turn_id, taken, tuple(self.events), **details)


def call(name: str = "emit_artifact", arguments: str = "{}", call_id: str = "") -> ModelToolCall:
    """A tool call of the model."""
    return ModelToolCall(id=call_id, name=name, arguments=arguments)


def answer(
    text: str = "",
    *calls: ModelToolCall,
    finish: FinishReason = FinishReason.STOP,
    error: ErrorCode | None = None,
    sent_bytes: int = 1_000,
    used: frozenset[str] = frozenset(),
) -> ModelAnswered:
    """What the model answered."""
    message = ModelMessage(role=MessageRole.ASSISTANT, content=text, tool_calls=calls)
    wrong = ModelError(code=error, diagnosis="raw words") if error else None
    return ModelAnswered(Final(attempt=1, message=message, finish=finish, bill=BILL, error=wrong), sent_bytes, used)


def ran(text: str = "Stored.", code: ErrorCode | None = None) -> ToolRan:
    """What a tool gave."""
    return ToolRan(ToolOutcome(text, code))


def runs(effect: object) -> str:
    """The name of the tool that an effect runs."""
    assert isinstance(effect, RunTool)
    return effect.call.name
