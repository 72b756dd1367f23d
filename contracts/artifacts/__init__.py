"""Artifacts are events: the union of them, and which of them an agent's tool may emit."""

from typing import Annotated

from pydantic import Field

from contracts.artifacts.business_rule import BusinessRule, CitedRule, Quote, Quoted
from contracts.artifacts.note import Note
from contracts.artifacts.product_brief import ProductBrief

ToolEmitted = Annotated[Note | BusinessRule, Field(discriminator="type")]
"""What the tool `emit_artifact` may write; the product brief is the server's."""

Artifact = Annotated[Note | BusinessRule | ProductBrief, Field(discriminator="type")]

__all__ = ["Artifact", "BusinessRule", "CitedRule", "Note", "ProductBrief", "Quote", "Quoted", "ToolEmitted"]
