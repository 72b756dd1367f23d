"""Which models a workspace knows, by the address that they are called at."""

from dataclasses import dataclass
from uuid import UUID

from django.conf import settings

from api.rooms.gateway.domain import base_urls
from api.rooms.gateway.models import Model
from api.rooms.gateway.providers import PROVIDERS
from api.rooms.gateway.services.prices import table_entry
from api.rooms.kernel.refusals import Refusal
from contracts.problem import ProblemCode

DEFAULT_CONTEXT_TOKENS = 32_768


@dataclass(frozen=True)
class ModelSpec:
    """A model as a person names it; what is null is not said, and stays as it is known."""

    provider: str
    name: str
    base_url: str = ""
    context_tokens: int | None = None
    has_tools: bool | None = None


def clean_base_url(provider: str, url: str) -> str:
    """The address as it is stored; refused when it may not be called."""
    if provider not in PROVIDERS:
        raise Refusal(ProblemCode.INVALID_PARAMETER, f"There is no provider {provider}.", {"field": "provider"})
    if PROVIDERS[provider].is_rehearsal:
        return ""
    checked = base_urls.check(
        url or PROVIDERS[provider].default_base_url, allow_private=settings.MUTIRAO_ALLOW_PRIVATE_BASE_URLS
    )
    if isinstance(checked, base_urls.Refused):
        raise Refusal(ProblemCode.INVALID_PARAMETER, f"Base URL: {checked.reason}.", {"field": "base_url"})
    return checked.text


def may_call(provider: str, base_url: str) -> bool:
    """Asked again before each call: the operator may have taken private addresses back since the address was stored."""
    checked = base_urls.check(base_url, allow_private=settings.MUTIRAO_ALLOW_PRIVATE_BASE_URLS)
    return PROVIDERS[provider].is_rehearsal or isinstance(checked, base_urls.BaseUrl)


def add_model(workspace_id: UUID, spec: ModelSpec) -> UUID:
    """The catalogue's row for this model, which may be used from now on. One that is no longer listed stays so."""
    base_url = clean_base_url(spec.provider, spec.base_url)
    known = table_entry(spec.provider, base_url, spec.name)
    facets = {"context_tokens": spec.context_tokens, "has_tools": spec.has_tools}
    said = {name: value for name, value in facets.items() if value is not None}
    context = (known.context_window if known else None) or DEFAULT_CONTEXT_TOKENS
    row, _ = Model.objects.update_or_create(
        workspace_id=workspace_id,
        provider=spec.provider,
        base_url=base_url,
        name=spec.name,
        defaults={"is_active": True, **said},
        create_defaults={"context_tokens": context, **said},
    )
    return row.id


def is_in_use(workspace_id: UUID, spec: ModelSpec) -> bool:
    """Whether `add_model` would change nothing: it is switched on, and what is said of it is so. Raises Refusal."""
    address = {"provider": spec.provider, "base_url": clean_base_url(spec.provider, spec.base_url), "name": spec.name}
    facets = {"context_tokens": spec.context_tokens, "has_tools": spec.has_tools}
    said = {name: value for name, value in facets.items() if value is not None}
    return Model.objects.filter(workspace_id=workspace_id, is_active=True, **address, **said).exists()
