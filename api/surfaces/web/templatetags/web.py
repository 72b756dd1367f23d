"""Filters and tags of the pages: agents' titles, money, sentences, icons, the theme."""

from decimal import Decimal
from uuid import UUID

from django import template
from django.http import HttpRequest
from django.templatetags.static import static
from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from api.rooms.budgets.domain.reservation import Standing
from api.surfaces.web.markdown import to_html
from api.surfaces.web.remedies import Remedy, remedy_of
from api.surfaces.web.sentences import BLOCKS, FAILURES, ORIGINS, PROVIDER_TITLES
from api.surfaces.web.theme import theme_of
from contracts import story
from contracts.agents import card_of
from contracts.failures import ORIGINS as CODE_ORIGINS
from contracts.failures import ErrorCode, FailureOrigin
from contracts.money import Usage

register = template.Library()

HUES = 5
AGENT_ICONS = frozenset({"creative", "product_owner"})


def _is_portuguese() -> bool:
    return (get_language() or "").startswith("pt")


@register.simple_tag
def request_id() -> str:
    """What the logs know this request by; no context is needed, since a page of a defect has none."""
    return story.current_request()


@register.filter
def agent_title(slug: str | None) -> str:
    """The roster's title in the reader's language; a numbered developer keeps its number."""
    card = card_of(slug or "")
    if card is None:
        return slug or ""
    title = card.title_pt if _is_portuguese() else card.title_en
    return title if card.slug == slug else f"{title} {(slug or '').removeprefix('dev-')}"


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


@register.filter
def money(micros: int | str | None) -> str:
    """US dollars with two places, and four where the amount is below a dollar; facts of events are text."""
    dollars = int(micros or 0) / 1_000_000
    places = 2 if dollars >= 1 or not dollars else 4
    return f"US$ {number_format(dollars, places, use_l10n=True)}"


@register.filter
def rate(micros: int) -> str:
    """US dollars per million tokens, without places that say nothing."""
    text = f"{Decimal(micros) / 1_000_000:.4f}".rstrip("0")
    places = max(2, len(text.partition(".")[2]))
    return f"US$ {number_format(Decimal(micros) / 1_000_000, places, use_l10n=True)}"


@register.filter
def provider_title(name: str) -> str | Promise:
    return PROVIDER_TITLES.get(name, name)


@register.filter
def dollars(micros: int | None) -> str:
    """As a person would type it into a form; nothing for no limit."""
    return "" if micros is None else f"{Decimal(micros) / 1_000_000:f}"


@register.filter
def used_micros(node: Standing) -> int:
    """What no other call may use: spent, or held for one that runs."""
    return node.spent_micros + node.held_micros


@register.filter
def unlocalized(number: int) -> str:
    """For attributes that machines read."""
    return str(number)


@register.filter
def tokens(usage: Usage) -> int:
    return usage.uncached_input + usage.cache_read + usage.cache_write + usage.output


@register.filter
def grouped(number: int) -> str:
    """Thousands apart, as the reader's language writes them."""
    return number_format(number, 0, use_l10n=True, force_grouping=True)


@register.filter
def billed_model(label: str) -> str:
    """The model of a report's line, which names its provider first."""
    return label.partition("/")[2] or label


@register.filter
def billed_provider(label: str) -> str | Promise:
    return provider_title(label.partition("/")[0])


@register.filter
def seconds(milliseconds: int) -> str:
    return number_format(milliseconds / 1000, 1, use_l10n=True)


@register.filter
def markdown(text: str) -> SafeString:
    return to_html(text)


@register.filter
def failure(code: ErrorCode) -> Promise:
    return FAILURES[code]


@register.filter
def origin(name: FailureOrigin) -> Promise:
    return ORIGINS[name]


@register.filter
def origin_of(code: ErrorCode) -> Promise:
    """The word for where a failure comes from."""
    return ORIGINS[CODE_ORIGINS[ErrorCode(code)]]


@register.filter
def block(reason: str) -> Promise:
    return BLOCKS[str(reason)]


@register.filter
def hue(identifier: UUID) -> int:
    """One of the house's colours, always the same for the same thing."""
    return sum(identifier.bytes) % HUES


@register.filter
def initial(name: str) -> str:
    return name.strip()[:1] or "?"


@register.simple_tag
def icon(name: str) -> SafeString:
    """A decorative drawing; what it means is always said in words beside it."""
    return format_html(
        '<svg class="icon" aria-hidden="true"><use href="{}#{}"></use></svg>', static("web/img/icons.svg"), name
    )


@register.simple_tag(takes_context=True)
def theme(context: template.Context) -> str:
    request = context.get("request")
    return theme_of(request) if isinstance(request, HttpRequest) else "auto"


@register.simple_tag
def stylesheets(*names: str) -> SafeString:
    """Links to the named sheets, in their order."""
    return format_html_join(
        "\n    ", '<link rel="stylesheet" href="{}">', ((static(f"web/css/{name}.css"),) for name in names)
    )


@register.simple_tag(takes_context=True)
def remedy(context: template.Context, code: ErrorCode, facts: dict[str, str], agent: str | None) -> Remedy | None:
    session, project = context["session"], context["project"]
    return remedy_of(ErrorCode(code), facts, agent, (session.id, project.id, project.workspace_id))
