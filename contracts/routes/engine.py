"""What the engine serves: a wake says only "look"."""

from typing import Annotated
from uuid import UUID

from pydantic import Field

from contracts.base import Message, Slug
from contracts.routes.route import Route


class Wake(Message):
    """Losable, repeatable, in any order; `seq` is for reading logs only."""

    instance_id: UUID
    agent: Slug
    seq: Annotated[int, Field(ge=0)]


class WakeAnswer(Message):
    queued: bool


WAKE = Route("wake", "POST", "/wake", Wake, WakeAnswer)
ROUTES = (WAKE,)
