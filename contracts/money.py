"""Usage in disjoint buckets, and what it cost."""

from typing import Annotated

from pydantic import Field

from contracts.base import Message, Micros

Tokens = Annotated[int, Field(ge=0)]


class Usage(Message):
    """Tokens of one model call. The three input buckets are disjoint; `reasoning` is a part of `output`."""

    uncached_input: Tokens = 0
    cache_read: Tokens = 0
    cache_write: Tokens = 0
    output: Tokens = 0
    reasoning: Tokens = 0
    estimated: bool = False


class Bill(Message):
    """What one model call, or the calls of one turn, cost. `cost_micros` is null when the price is unknown."""

    usage: Usage
    cost_micros: Micros | None
    provider: str
    model: str
    is_rehearsal: bool = False
