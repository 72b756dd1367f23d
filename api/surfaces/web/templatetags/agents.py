"""Filters for agents: their titles and purposes in the reader's language."""

from django import template
from django.utils.translation import get_language, gettext

from contracts.agents import card_of

register = template.Library()

PERSON = "person"
"""Who handed the work over where no agent did."""
AGENT_ICONS = frozenset({"creative", "product_owner"})


def _is_portuguese() -> bool:
    return (get_language() or "").startswith("pt")


@register.filter
def agent_title(slug: str | None) -> str:
    """The roster's title in the reader's language; a numbered developer keeps its number."""
    card = card_of(slug or "")
    if card is None:
        return gettext("A person") if slug == PERSON else slug or ""
    title = card.title_pt if _is_portuguese() else card.title_en
    return title if card.slug == slug else f"{title} {(slug or '').removeprefix(f'{card.slug}-')}"


@register.filter
def agent_purpose(slug: str | None) -> str:
    card = card_of(slug or "")
    if card is None:
        return ""
    return card.purpose_pt if _is_portuguese() else card.purpose_en


@register.filter
def agent_icon(slug: str | None) -> str:
    return slug if slug in AGENT_ICONS else "agent"


@register.filter
def is_available(slug: str | None) -> bool:
    card = card_of(slug or "")
    return card is not None and card.is_available
