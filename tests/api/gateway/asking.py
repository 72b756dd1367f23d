"""Ask a provider directly, without the rooms around it."""

from dataclasses import dataclass

from api.rooms.gateway.domain.reception import Reception
from api.rooms.gateway.providers import PROVIDERS, Provider, ProviderFailure, Target
from api.rooms.kernel.ids import new_id
from contracts.failures import ErrorCode
from contracts.routes.model import ModelCall, ModelMessage, ModelToolCall, ToolSpec
from contracts.vocabulary import MessageRole
from tests.fakes.model_server import ModelServer, Reply

TOOL = ToolSpec(name="note_down", description="Notes something down.", parameters={"type": "object"})
KEY = "sk-canary-4711-abcdefgh"
OPENAI = PROVIDERS["openai_compatible"]


@dataclass(frozen=True)
class Answer:
    """Everything a provider gave."""

    pieces: tuple[str, ...]
    reception: Reception
    failure: ProviderFailure | None

    @property
    def text(self) -> str:
        return "".join(self.pieces)

    @property
    def code(self) -> ErrorCode | None:
        return self.failure.code if self.failure else None

    @property
    def calls(self) -> tuple[ModelToolCall, ...]:
        return self.reception.message("seed").tool_calls

    @property
    def arguments(self) -> list[str]:
        return [call.arguments for call in self.calls]


def a_call(text: str = "hello", tools: tuple[ToolSpec, ...] = (TOOL,)) -> ModelCall:
    return ModelCall(
        epoch=1,
        turn_id=new_id(),
        step=1,
        messages=(ModelMessage(role=MessageRole.USER, content=text),),
        tools=tools,
        max_output_tokens=77,
        temperature=0.5,
    )


async def ask(server: ModelServer, *replies: Reply, is_streamed: bool = True, secret: str = KEY) -> Answer:
    """One call of the provider against these replies."""
    server.play(*replies)
    return await ask_at(server.url, is_streamed=is_streamed, secret=secret)


async def ask_at(
    url: str,
    *,
    is_streamed: bool = True,
    secret: str = KEY,
    provider: Provider = OPENAI,
    call: ModelCall | None = None,
) -> Answer:
    """`call` is one with a tool and a temperature unless it is given."""
    reception, pieces, failure = Reception(), [], None
    target = Target(url, "fake", secret)
    stream = provider.stream(call or a_call(), target, reception, 1, is_streamed=is_streamed)
    try:
        async for piece in stream:
            pieces.append(piece)  # noqa: PERF401 - what came before a failure must be kept
    except ProviderFailure as error:
        failure = error
    return Answer(tuple(pieces), reception, failure)
