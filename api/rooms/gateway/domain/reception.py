"""What has arrived of an answer so far: text, tool calls, usage, the reason it ended."""

from dataclasses import dataclass, field

from api.rooms.gateway.domain.characters import Joiner, mend
from api.rooms.gateway.domain.tool_calls import Calls
from contracts.money import Usage
from contracts.routes.model import ModelMessage
from contracts.vocabulary import FinishReason, MessageRole


@dataclass
class Reception:
    """Filled by a provider while it reads; the stream's owner reads it whatever happens to the stream."""

    texts: list[str] = field(default_factory=list)
    calls: Calls = field(default_factory=Calls)
    usage: Usage | None = None
    finish: FinishReason | None = None
    refusal: str = ""
    upstream: str = ""
    unseen_bytes: int = 0
    """Bytes that were bought and are shown to nobody, such as reasoning."""
    is_rejected: bool = False
    """The provider answered with a refusal of the request: nothing was generated."""
    joiner: Joiner = field(default_factory=Joiner)

    def say(self, text: str) -> str:
        """Take a piece of text; what may be relayed of it now."""
        relayed = self.joiner.feed(text)
        if relayed:
            self.texts.append(relayed)
        return relayed

    def end(self, finish: FinishReason) -> None:
        """The reason for the end; a plain stop behind tool calls is theirs."""
        is_of_calls = finish is FinishReason.STOP and bool(self.calls.drafts)
        self.finish = FinishReason.TOOL_CALLS if is_of_calls else finish

    def end_text(self) -> str:
        """Half a character that never became whole."""
        rest = self.joiner.flush()
        if rest:
            self.texts.append(rest)
        return rest

    @property
    def text(self) -> str:
        return "".join(self.texts)

    @property
    def is_empty(self) -> bool:
        return not self.texts and not self.calls.drafts and not self.unseen_bytes

    @property
    def received_bytes(self) -> int:
        return len(self.text.encode()) + self.calls.size + self.unseen_bytes + len(mend(self.refusal).encode())

    def message(self, seed: str) -> ModelMessage:
        """`seed` is the call's key: the tool calls take their ids from it."""
        return ModelMessage(role=MessageRole.ASSISTANT, content=self.text, tool_calls=self.calls.finished(seed))
