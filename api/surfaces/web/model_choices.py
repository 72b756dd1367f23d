"""Which models of the catalogue can be chosen for a place, and why the others cannot."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from api.rooms.gateway.catalogue import ModelCard


class Unfit(StrEnum):
    """Why a model cannot be chosen."""

    RETIRED = "retired"
    OFF = "off"
    WITHOUT_TOOLS = "without_tools"


@dataclass(frozen=True)
class Choices:
    """What is usable, by address; and the rest with its reason."""

    usable: tuple[ModelCard, ...]
    others: tuple[tuple[ModelCard, Unfit], ...]


def choices(cards: Iterable[ModelCard], *, needs_tools: bool) -> Choices:
    """The same rule as binding: in use, still listed, and able to call tools where an agent needs them."""
    judged = [(card, unfit(card, needs_tools=needs_tools)) for card in cards]
    return Choices(
        tuple(card for card, reason in judged if reason is None),
        tuple((card, reason) for card, reason in judged if reason is not None),
    )


def unfit(card: ModelCard, *, needs_tools: bool) -> Unfit | None:
    """Null when it can be chosen."""
    if card.is_retired:
        return Unfit.RETIRED
    if not card.is_active:
        return Unfit.OFF
    return Unfit.WITHOUT_TOOLS if needs_tools and not card.has_tools else None
