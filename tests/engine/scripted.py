"""Answers of a scripted model."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any

from contracts.failures import ErrorCode
from contracts.money import Bill, Usage
from contracts.routes.model import Delta, Final, Frame, ModelCall, ModelError, ModelMessage, ModelToolCall
from contracts.vocabulary import FinishReason, MessageRole

BILL = Bill(
    usage=Usage(uncached_input=10, output=5, estimated=True), cost_micros=7, provider="scripted", model="scripted-1"
)


def final(
    text: str = "",
    *calls: tuple[str, str],
    finish: FinishReason = FinishReason.STOP,
    error: ErrorCode | None = None,
    call_id: str = "",
) -> Final:
    """A final frame; `calls` are (tool, arguments as JSON text)."""
    tool_calls = tuple(ModelToolCall(id=call_id, name=name, arguments=arguments) for name, arguments in calls)
    return Final(
        attempt=1,
        message=ModelMessage(role=MessageRole.ASSISTANT, content=text, tool_calls=tool_calls),
        finish=finish,
        bill=BILL,
        error=ModelError(code=error, diagnosis=f"the provider said {error}") if error else None,
    )


Answer = Final | Exception | Callable[[ModelCall], Final]


@dataclass
class Model:
    """Plays its answers in order; `gate` holds a stream after its first delta until it is set."""

    answers: list[Answer] = field(default_factory=list)
    calls: list[ModelCall] = field(default_factory=list)
    gate: asyncio.Event | None = None
    streaming: asyncio.Event = field(default_factory=asyncio.Event)
    cut: int = 0

    def next(self, call: ModelCall) -> Final:
        """The next answer; an exception breaks the stream."""
        self.calls.append(call)
        answer = self.answers.pop(0) if self.answers else final("I have nothing more to say.")
        if isinstance(answer, Exception):
            raise answer
        return answer(call) if callable(answer) else answer

    async def frames(self, call: ModelCall) -> AsyncIterator[bytes]:
        """Server-sent events, as the gateway writes them."""
        answer = self.next(call)
        try:
            yield _data(Delta(attempt=1, offset=0, text=answer.message.content[:1]))
            self.streaming.set()
            if self.gate is not None:
                await self.gate.wait()
            yield _data(answer)
        except (asyncio.CancelledError, GeneratorExit):
            self.cut += 1
            raise

    def last_request(self) -> list[tuple[Any, str]]:
        """Role and text of what the model was sent last."""
        return [(message.role, message.content) for message in self.calls[-1].messages]


def _data(frame: Delta | Final) -> bytes:
    return b"data: " + Frame(frame=frame).model_dump_json().encode() + b"\n\n"
