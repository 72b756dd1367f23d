"""What the rehearsal reads out of a conversation: who said what, what was recorded, what went wrong."""

import json
import re
from dataclasses import dataclass

from contracts.routes.model import ModelCall, ModelMessage, ModelToolCall
from contracts.text import fold
from contracts.vocabulary import Language, MessageRole

NUMBERED = re.compile(r"\A\[(\d+)\]\s*(.*)\Z", re.DOTALL)
HARNESS = "[harness]"
STORED = "Stored:"
EMIT, ASK = "emit_artifact", "ask_structured_questions"
PORTUGUESE_TEXT = (
    "que não para com uma um os as de do da em é são quando pode deve como mais por você eu quero meu minha"
)
ENGLISH_TEXT = "the that not for with a an of in is are when can must how more by you i want my to and"
PORTUGUESE_WORDS, ENGLISH_WORDS = frozenset(PORTUGUESE_TEXT.split()), frozenset(ENGLISH_TEXT.split())


@dataclass(frozen=True)
class Said:
    """A message of the person; `seq` is null where messages carry no number."""

    seq: int | None
    text: str


@dataclass(frozen=True)
class Result:
    """A tool call and what came back."""

    call: ModelToolCall
    text: str

    @property
    def is_stored(self) -> bool:
        return self.text.startswith(STORED)

    @property
    def payload(self) -> dict[str, object]:
        try:
            arguments = json.loads(self.call.arguments)
        except ValueError:
            return {}
        payload = arguments.get("payload") if isinstance(arguments, dict) else None
        return payload if isinstance(payload, dict) else {}


@dataclass(frozen=True)
class Conversation:
    """One reading of a call's messages, in order."""

    language: Language
    tools: frozenset[str]
    system: str
    said: tuple[Said, ...]
    results: tuple[Result, ...]
    fresh: tuple[Result, ...]
    """Results of the current turn: since the person or the harness last spoke."""
    last_words: str
    """What the person or the harness said last."""

    @property
    def is_harness_speaking(self) -> bool:
        return self.last_words.startswith(HARNESS)

    @property
    def rules(self) -> tuple[dict[str, object], ...]:
        """Payloads of the rules that were stored."""
        return tuple(result.payload for result in self.results if result.is_stored and "description" in result.payload)

    @property
    def has_asked(self) -> bool:
        return any(result.call.name == ASK for result in self.results)

    def knows(self, title: str) -> bool:
        """Whether a rule of this title was tried before, stored or refused."""
        tried = (result.payload.get("title") for result in self.results)
        return fold(title) in {fold(each) for each in tried if isinstance(each, str)}


def read(call: ModelCall) -> Conversation:
    system = "\n".join(message.content for message in call.messages if message.role is MessageRole.SYSTEM)
    users = [message.content for message in call.messages if message.role is MessageRole.USER]
    said = tuple(_said(text) for text in users if not text.startswith(HARNESS))
    last_user = max((at for at, message in enumerate(call.messages) if message.role is MessageRole.USER), default=-1)
    return Conversation(
        language=_language(system, said),
        tools=frozenset(tool.name for tool in call.tools),
        system=system,
        said=said,
        results=_results(call.messages),
        fresh=_results(call.messages[last_user + 1 :]),
        last_words=users[-1] if users else "",
    )


def _said(text: str) -> Said:
    numbered = NUMBERED.match(text)
    return Said(int(numbered[1]), numbered[2].strip()) if numbered else Said(None, text.strip())


def _results(messages: tuple[ModelMessage, ...]) -> tuple[Result, ...]:
    calls = {call.id: call for message in messages for call in message.tool_calls}
    return tuple(
        Result(calls[message.tool_call_id], message.content)
        for message in messages
        if message.tool_call_id is not None and message.tool_call_id in calls
    )


def _language(system: str, said: tuple[Said, ...]) -> Language:
    """The project's language as the prompt states it, else the one that the person writes."""
    if "Brazilian Portuguese" in system or "português" in system.lower():
        return Language.PORTUGUESE
    if "in English" in system:
        return Language.ENGLISH
    words = re.findall(r"[a-zà-ú]+", " ".join(each.text for each in said).lower())
    portuguese = sum(word in PORTUGUESE_WORDS for word in words)
    return Language.PORTUGUESE if portuguese > sum(word in ENGLISH_WORDS for word in words) else Language.ENGLISH
