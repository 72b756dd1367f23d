"""The conversation of one agent: a fold over the session's log."""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from contracts.events import (
    AgentResponse,
    ContextCompacted,
    LogEvent,
    ModelNudged,
    ToolCalled,
    ToolFinished,
    TurnStarted,
)
from contracts.routes.model import ModelMessage, ModelToolCall
from contracts.text import cut_bytes
from contracts.vocabulary import MessageRole

NO_RESULT = "No result was recorded for this call."
MAX_UNREADABLE_BYTES = 500
SUMMARY = "[harness] Summary of the conversation up to here:\n"

Say = Callable[[LogEvent, Sequence[LogEvent]], str]
"""How an event that the agent took is told to its model, with the session's log beside it; agents differ in this."""


@dataclass(frozen=True)
class Group:
    """Messages that are never separated. `through_seq` is the last event in it; pinned groups outlive compaction."""

    messages: tuple[ModelMessage, ...]
    through_seq: int
    is_pinned: bool = False


@dataclass
class _Answer:
    """The text and the calls of one (turn, iteration), while folding."""

    text: str = ""
    calls: list[ModelToolCall] = field(default_factory=list)
    results: dict[str, str] = field(default_factory=dict)
    through_seq: int = 0


@dataclass
class _Fold:
    """What the fold has seen so far."""

    agent: str
    say: Say
    events: dict[int, LogEvent]
    log: Sequence[LogEvent]
    entries: list[_Answer | Group] = field(default_factory=list)
    answers: dict[tuple[UUID, int], _Answer] = field(default_factory=dict)
    callers: dict[str, _Answer] = field(default_factory=dict)
    turns: set[UUID] = field(default_factory=set)
    started_seq: int = 0
    compacted: ContextCompacted | None = None

    def see(self, event: LogEvent) -> None:
        """Take one event in; those of other agents and of no conversation pass by."""
        payload = event.payload
        if isinstance(payload, TurnStarted):
            self.start(event.seq, payload)
        elif isinstance(payload, AgentResponse | ToolCalled) and payload.turn_id in self.turns:
            self.answer(event.seq, payload)
        elif isinstance(payload, ToolFinished) and payload.call_id in self.callers:
            caller = self.callers[payload.call_id]
            caller.results.setdefault(payload.call_id, payload.text)
            caller.through_seq = event.seq
        elif isinstance(payload, ModelNudged) and payload.turn_id in self.turns:
            self.entries.append(Group((_user(payload.text),), event.seq))
        elif isinstance(payload, ContextCompacted) and payload.turn_id in self.turns and payload.summary:
            self.compacted = payload  # without a summary only texts were cut: what was left out before stays out

    def start(self, seq: int, started: TurnStarted) -> None:
        """A message counts from the moment a turn took it, whatever its own seq is."""
        taken = [self.events[each] for each in started.taken if each in self.events]
        if not any(event.to_agent == self.agent for event in taken):
            return
        self.turns.add(started.turn_id)
        self.started_seq = seq
        self.entries.append(Group(tuple(_user(self.say(event, self.log)) for event in taken), seq))

    def answer(self, seq: int, payload: AgentResponse | ToolCalled) -> None:
        """Text and calls of the same (turn, iteration) are one assistant message."""
        if isinstance(payload, ToolCalled) and payload.call_id in self.callers:
            return
        key = (payload.turn_id, payload.iteration)
        if key not in self.answers:
            self.answers[key] = _Answer()
            self.entries.append(self.answers[key])
        answer = self.answers[key]
        answer.through_seq = seq
        if isinstance(payload, AgentResponse):
            answer.text = f"{answer.text}\n\n{payload.content}" if answer.text else payload.content
            return
        self.callers[payload.call_id] = answer
        answer.calls.append(
            ModelToolCall(id=payload.call_id, name=payload.tool, arguments=replayable(payload.arguments))
        )

    def groups(self) -> tuple[Group, ...]:
        """The groups in order, with what was compacted replaced by its summary."""
        all_groups = [self.group(entry) for entry in self.entries]
        if self.compacted is None:
            return tuple(all_groups)
        through = self.compacted.through_seq
        kept = [group for group in all_groups if group.through_seq > through or group.is_pinned]
        return (Group((_user(SUMMARY + self.compacted.summary),), through), *kept)

    def group(self, entry: _Answer | Group) -> Group:
        """An entry as a group: what a person asked in the latest turn is pinned."""
        if isinstance(entry, Group):
            return Group(entry.messages, entry.through_seq, is_pinned=entry.through_seq == self.started_seq)
        assistant = ModelMessage(role=MessageRole.ASSISTANT, content=entry.text, tool_calls=tuple(entry.calls))
        answers = (_tool(call.id, entry.results.get(call.id, NO_RESULT)) for call in entry.calls)
        return Group((assistant, *answers), entry.through_seq)


def fold(events: Iterable[LogEvent], agent: str, say: Say) -> tuple[Group, ...]:
    """The conversation of `agent`; every tool call in it has exactly one answer."""
    by_seq = {event.seq: event for event in events}
    log = [by_seq[seq] for seq in sorted(by_seq)]
    state = _Fold(agent, say, by_seq, log)
    for event in log:
        state.see(event)
    return state.groups()


def _user(text: str) -> ModelMessage:
    return ModelMessage(role=MessageRole.USER, content=text)


def _tool(call_id: str, text: str) -> ModelMessage:
    return ModelMessage(role=MessageRole.TOOL, content=text, tool_call_id=call_id)


def replayable(arguments: str) -> str:
    """Arguments as they may be sent back: providers refuse a conversation that holds a call without a JSON object."""
    try:
        if isinstance(json.loads(arguments), dict):
            return arguments
    except (ValueError, RecursionError):
        pass
    return json.dumps({"unreadable_arguments": cut_bytes(arguments, MAX_UNREADABLE_BYTES)}, ensure_ascii=False)
