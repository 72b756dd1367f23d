"""A conversation as strictly alternating turns, for the formats that know only two speakers."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from contracts.routes.model import ModelMessage
from contracts.vocabulary import MessageRole


class Role(StrEnum):
    """Tool results are the user's words."""

    USER = "user"
    ASSISTANT = "assistant"


@dataclass(frozen=True)
class Turn:
    """Everything that one side said before the other spoke."""

    role: Role
    messages: tuple[ModelMessage, ...]


def turns_of(messages: Iterable[ModelMessage]) -> tuple[str, list[Turn]]:
    """The system prompt, and the turns. Messages without any content are left out: no format takes them."""
    system: list[str] = []
    turns: list[Turn] = []
    for message in messages:
        if message.role is MessageRole.SYSTEM:
            system.append(message.content)
        elif _says_something(message):
            role = Role.ASSISTANT if message.role is MessageRole.ASSISTANT else Role.USER
            before = turns.pop().messages if turns and turns[-1].role is role else ()
            turns.append(Turn(role, (*before, message)))
    return "\n\n".join(system), turns


def _says_something(message: ModelMessage) -> bool:
    return bool(message.content.strip() or message.tool_calls or message.tool_call_id is not None)


def arguments_object(text: str) -> dict[str, Any]:
    """These formats carry arguments as an object: text that is none is quoted, never repaired."""
    try:
        value = json.loads(text)
    except ValueError:
        value = None
    return value if isinstance(value, dict) else {"not_an_object": text}
