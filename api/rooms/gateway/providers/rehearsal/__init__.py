"""A provider without a model: it plays an agent's part, always labelled as a rehearsal, and costs nothing."""

import asyncio
import json
import os
import re
from collections.abc import AsyncGenerator

from api.rooms.gateway.domain.listing import Capabilities, KeyAnswer, KeyVerdict, ListedModel
from api.rooms.gateway.domain.reception import Reception
from api.rooms.gateway.domain.scripts import Entry
from api.rooms.gateway.domain.usage import estimate
from api.rooms.gateway.providers.provider import ProviderFailure, Target
from api.rooms.gateway.providers.rehearsal.play import perform
from contracts.failures import ErrorCode
from contracts.money import Usage
from contracts.routes.model import ModelCall
from contracts.vocabulary import FinishReason

DEFAULT_DELAY_MS = 15
FOREVER_S = 3600.0


def _delay_ms() -> int:
    return int(os.environ.get("MUTIRAO_REHEARSAL_DELAY_MS") or DEFAULT_DELAY_MS)


def _pieces(entry: Entry) -> list[str]:
    """Words with the space after them, or `chunks` pieces of equal size."""
    if entry.chunks is None:
        return re.findall(r"\s*\S+\s*", entry.text) or ([entry.text] if entry.text else [])
    size = -(-len(entry.text) // entry.chunks)
    return [entry.text[at : at + size] for at in range(0, len(entry.text), size)]


class Rehearsal:
    """Answers from the session's script, else plays the part that the offered tools call for."""

    name = "rehearsal"
    is_rehearsal = True
    default_base_url = ""
    capabilities = Capabilities(lists_models=False, checks_keys=False)

    def body_bytes(self, call: ModelCall, target: Target) -> int:  # noqa: ARG002 - the protocol's
        return len(call.model_dump_json(include={"messages", "tools"}))

    async def stream(
        self,
        call: ModelCall,
        target: Target,
        reception: Reception,
        attempt: int,
        *,
        is_streamed: bool,
    ) -> AsyncGenerator[str, None]:
        entry = target.entry or perform(call)
        pieces = _pieces(entry) if is_streamed else [entry.text] if entry.text else []
        delay_ms = _delay_ms() if entry.delay_ms is None else entry.delay_ms
        await asyncio.sleep(entry.first_delay_ms / 1000)
        for piece in pieces:
            await asyncio.sleep(delay_ms / 1000)
            said = reception.say(piece)
            if said:
                yield said
        await _end(entry, reception, attempt)
        reception.usage = _usage(self.body_bytes(call, target), entry)

    async def list_models(self, target: Target) -> tuple[ListedModel, ...]:  # noqa: ARG002 - the protocol's
        return (ListedModel("rehearsal", has_tools=True),)

    async def check_key(self, target: Target) -> KeyAnswer:  # noqa: ARG002 - the protocol's
        return KeyAnswer(KeyVerdict.UNSUPPORTED)


async def _end(entry: Entry, reception: Reception, attempt: int) -> None:
    fails = entry.fails_with is not None and attempt <= (entry.failing_attempts or attempt)
    if entry.fails_with is not None and fails:
        reception.is_rejected = reception.is_empty
        raise ProviderFailure(entry.fails_with, entry.diagnosis, retry_after_s=entry.retry_after_s)
    if entry.is_cut:
        raise ProviderFailure(ErrorCode.STREAM_INCOMPLETE, entry.diagnosis or "The script breaks off here.")
    if entry.hangs:
        await asyncio.sleep(FOREVER_S)
    for number, tool in enumerate(entry.tool_calls):
        function = {"name": tool.name, "arguments": tool.arguments}
        reception.calls.feed({"index": number, "id": f"rehearsed_{number}", "function": function})
    reception.finish = entry.finish or (FinishReason.TOOL_CALLS if entry.tool_calls else FinishReason.STOP)


def _usage(body_bytes: int, entry: Entry) -> Usage:
    written = len(entry.text.encode()) + len(json.dumps([tool.arguments for tool in entry.tool_calls]))
    return Usage(uncached_input=max(1, estimate(body_bytes)), output=max(1, estimate(written)))
