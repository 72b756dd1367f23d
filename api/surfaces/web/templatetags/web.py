"""Filters and tags of the pages: sentences, icons, sheets, the theme."""

from datetime import datetime, timedelta
from uuid import UUID

from django import template
from django.http import HttpRequest
from django.templatetags.static import static
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.timesince import timesince
from django.utils.translation import gettext as _now

from api.rooms.gateway.domain.uses import ModelUse
from api.rooms.gateway.providers.presets import PRESETS
from api.surfaces.web.markdown import to_html
from api.surfaces.web.remedies import Remedy, remedy_of
from api.surfaces.web.sentences import BLOCKS, FAILURES, MODEL_USES, ORIGINS, PROVIDER_TITLES
from api.surfaces.web.theme import theme_of
from contracts import story
from contracts.failures import ORIGINS as CODE_ORIGINS
from contracts.failures import ErrorCode, FailureOrigin

register = template.Library()

HUES = 5
MINUTE = timedelta(minutes=1)
ADDRESS_TITLES = {preset.base_url: preset.title for preset in PRESETS if not preset.is_local}
"""Of one's own machine nobody knows what listens there today."""


@register.simple_tag
def request_id() -> str:
    """What the logs know this request by; no context is needed, since a page of a defect has none."""
    return story.current_request()


@register.filter
def provider_title(name: str) -> str | Promise:
    return PROVIDER_TITLES.get(name, name)


@register.filter
def address_title(base_url: str, provider: str) -> str | Promise:
    """The name of a well-known address, else the API that is spoken there."""
    return ADDRESS_TITLES.get(base_url) or provider_title(provider)


@register.filter
def ago(at: datetime) -> str:
    """How long ago, in one unit."""
    passed = timesince(at, depth=1)
    if at > timezone.now() - MINUTE:
        return _now("just now")
    return _now("%(passed)s ago") % {"passed": passed}


@register.filter
def model_use(name: str) -> Promise:
    return MODEL_USES[ModelUse(name)]


@register.filter
def billed_model(label: str) -> str:
    """The model of a report's line, which names its provider first."""
    return label.partition("/")[2] or label


@register.filter
def billed_provider(label: str) -> str | Promise:
    return provider_title(label.partition("/")[0])


@register.filter
def is_rehearsed(label: str) -> bool:
    return label.partition("/")[0] == "rehearsal"


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
