"""Artifacts are events: the union of them, and which of them an agent's tool may emit."""

from typing import Annotated

from pydantic import Field

from contracts.artifacts.architecture import C4Diagram, Insight, ModuleMap, ProjectImage
from contracts.artifacts.business_rule import BusinessRule, CitedRule, Quote, Quoted
from contracts.artifacts.note import Note
from contracts.artifacts.product_brief import ProductBrief
from contracts.artifacts.prototype import NavigablePrototype

ToolEmitted = Annotated[Note | BusinessRule | Insight, Field(discriminator="type")]
"""What agents write as it stands; everything else is made by the workspace from what they propose."""

Artifact = Annotated[
    Note | BusinessRule | ProductBrief | ModuleMap | ProjectImage | C4Diagram | Insight | NavigablePrototype,
    Field(discriminator="type"),
]

__all__ = [
    "Artifact",
    "BusinessRule",
    "C4Diagram",
    "CitedRule",
    "Insight",
    "ModuleMap",
    "NavigablePrototype",
    "Note",
    "ProductBrief",
    "ProjectImage",
    "Quote",
    "Quoted",
    "ToolEmitted",
]
