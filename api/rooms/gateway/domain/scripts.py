"""A script for the rehearsal: what it answers, call by call, in one session."""

from typing import Annotated

from pydantic import Field

from contracts.base import Message
from contracts.failures import ErrorCode
from contracts.vocabulary import FinishReason


class ScriptedCall(Message):
    """A tool call as the model would write it; `arguments` may be any text, valid or not."""

    name: str
    arguments: str = "{}"


class Entry(Message):
    """One answer. Text is streamed in `chunks` pieces (words when null), each after `delay_ms`.

    `fails_with` ends the call with that code after `text`; when `failing_attempts` is set only that many tries fail.
    `is_cut` breaks the stream off after `text`; `hangs` never ends it.
    """

    text: str = ""
    tool_calls: tuple[ScriptedCall, ...] = ()
    finish: FinishReason | None = None
    chunks: Annotated[int, Field(ge=1)] | None = None
    first_delay_ms: Annotated[int, Field(ge=0)] = 0
    delay_ms: Annotated[int, Field(ge=0)] | None = None
    fails_with: ErrorCode | None = None
    failing_attempts: Annotated[int, Field(ge=1)] | None = None
    retry_after_s: float | None = None
    diagnosis: str = ""
    is_cut: bool = False
    hangs: bool = False


class Script(Message):
    """Entries in the order in which the session's calls ask for them; afterwards the rehearsal plays freely."""

    entries: tuple[Entry, ...]
    is_looped: bool = False
