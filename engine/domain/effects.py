"""What a step may ask the runtime to perform next; saved with the state, so whoever resumes performs the same."""

from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from contracts.base import Message, Slug
from contracts.routes.model import ModelToolCall


class Window(Message):
    """What the model calls so far taught about size: it outlives the turn."""

    last_bytes: int = 0
    last_tokens: int = 0
    refused_bytes: int | None = None
    """A body of this size was refused as too large; nothing as large is sent again."""
    part_bytes: int | None = None
    """Each text of the conversation is cut to this size."""
    compactions: int = 0
    """Since the last answer."""


class BeginTurn(Message):
    """The turn was just begun: let the behaviour see what it answers."""

    kind: Literal["begin_turn"] = "begin_turn"
    seqs: tuple[int, ...]


class CallModel(Message):
    """Ask the model, with the conversation so far and these tools."""

    kind: Literal["call_model"] = "call_model"
    iteration: int
    tools: tuple[Slug, ...] = ()
    window: Window = Window()


class Compact(Message):
    """Make the conversation strictly smaller."""

    kind: Literal["compact"] = "compact"
    tools: tuple[Slug, ...] = ()
    window: Window
    target_bytes: int


class RunTool(Message):
    """Run one call of the model; `is_cut` when the answer hit the output limit, so its arguments prove nothing."""

    kind: Literal["run_tool"] = "run_tool"
    call: ModelToolCall
    offered: tuple[Slug, ...]
    is_cut: bool = False


class WriteBrief(Message):
    """Write the product brief (RN-142)."""

    kind: Literal["write_brief"] = "write_brief"
    summary: str


class OfferWork(Message):
    """Offer a handoff."""

    kind: Literal["offer_work"] = "offer_work"
    to_agent: Slug
    artifact_event_id: UUID | None


Effect = Annotated[BeginTurn | CallModel | Compact | RunTool | WriteBrief | OfferWork, Field(discriminator="kind")]
