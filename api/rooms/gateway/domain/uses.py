"""What a workspace marks a model for (RN-057): a closed list, in its own order."""

from collections.abc import Iterable
from enum import StrEnum


class ModelUse(StrEnum):
    """A mark for people who choose; it switches nothing on and stands in no binding's way."""

    CODE = "code"
    DOCUMENTATION = "documentation"
    ANALYSIS = "analysis"
    IMAGE = "image"
    CONVERSATION = "conversation"


def in_order(uses: Iterable[ModelUse]) -> tuple[ModelUse, ...]:
    """Each once."""
    asked = set(uses)
    return tuple(use for use in ModelUse if use in asked)
