"""The product brief: written by the server only, after a person said that the idea is ready (RN-142)."""

from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from contracts.base import Message
from contracts.limits import MAX_ARTIFACT_TEXT_CHARS


class ProductBrief(Message):
    """`rules` are event ids of the session's business rules at that moment; `number` counts its briefs."""

    type: Literal["artifact.product_brief"] = "artifact.product_brief"
    number: Annotated[int, Field(ge=1)]
    title: Literal["Product Brief"] = "Product Brief"
    summary: Annotated[str, Field(min_length=1, max_length=MAX_ARTIFACT_TEXT_CHARS)]
    rules: Annotated[tuple[UUID, ...], Field(min_length=1)]
