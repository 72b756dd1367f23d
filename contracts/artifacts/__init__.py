"""Artifacts are events: the union of them, and which of them an agent's tool may emit."""

from typing import Annotated

from pydantic import Field

from contracts.artifacts.architecture import C4Diagram, Insight, ModuleMap, ProjectImage
from contracts.artifacts.business_rule import BusinessRule, CitedRule, Quote, Quoted
from contracts.artifacts.note import Note
from contracts.artifacts.product_brief import ProductBrief

ToolEmitted = Annotated[Note | BusinessRule | Insight, Field(discriminator="type")]
"""What agents write as it stands; everything else is made by the workspace from what they propose."""

Artifact = Annotated[
    Note | BusinessRule | ProductBrief | ModuleMap | ProjectImage | C4Diagram | Insight, Field(discriminator="type")
]

__all__ = [
    "Artifact",
    "BusinessRule",
    "C4Diagram",
    "CitedRule",
    "Insight",
    "ModuleMap",
    "Note",
    "ProductBrief",
    "ProjectImage",
    "Quote",
    "Quoted",
    "ToolEmitted",
]
