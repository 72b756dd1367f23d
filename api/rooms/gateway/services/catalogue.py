"""Which models a workspace knows, by the address that they are called at."""

from dataclasses import dataclass
from uuid import UUID

from django.conf import settings

from api.rooms.gateway.domain import base_urls
from api.rooms.gateway.models import Credential, Model
from api.rooms.gateway.providers import PROVIDERS
from api.rooms.gateway.services.prices import table_entry
from api.rooms.kernel.refusals import Refusal, not_found
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


def knows_address(workspace_id: UUID, provider: str, url: str) -> bool:
    """Whether an owner has named this address before, or it is the provider's own. Raises Refusal as it is cleaned."""
    address = clean_base_url(provider, url)
    if address == PROVIDERS[provider].default_base_url:
        return True
    named = {"workspace_id": workspace_id, "provider": provider, "base_url": address}
    return any(table.objects.filter(**named).exists() for table in (Credential, Model))


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


def set_active(workspace_id: UUID, model_id: UUID, *, is_active: bool) -> None:
    """Let agents use a model, or no longer (RN-052). Bindings stay and are passed over meanwhile."""
    if not Model.objects.filter(id=model_id, workspace_id=workspace_id).update(is_active=is_active):
        raise not_found("model")


def set_fallback(workspace_id: UUID, model_id: UUID, fallback_id: UUID | None) -> None:
    """The model that a call goes to, once, when this one does not exist any more; null for none."""
    known = Model.objects.filter(workspace_id=workspace_id)
    if not known.filter(id=model_id).exists() or (fallback_id and not known.filter(id=fallback_id).exists()):
        raise not_found("model")
    if fallback_id == model_id:
        raise Refusal(ProblemCode.INVALID_PARAMETER, "A model is no fallback of itself.", {"field": "fallback"})
    known.filter(id=model_id).update(fallback_id=fallback_id)
